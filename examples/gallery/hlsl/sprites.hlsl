// SPDX-License-Identifier: Apache-2.0
// Instanced sprites: two entry points in one file, a third for outlined text.

struct Sprite {
  float4 rectangle;  // x, y, width, height in pixels
  float4 source;     // the same in the atlas, in texture coordinates
  float4 color;
  float rotation;
  float unused0;
  float2 unused1;
};

[[vk::binding(0, 0)]] StructuredBuffer<Sprite> sprites : register(t0);
[[vk::binding(1, 0)]] Texture2D atlas : register(t1);
[[vk::binding(2, 0)]] SamplerState smooth : register(s0);
[[vk::binding(3, 0)]] cbuffer View : register(b0) {
  float2 resolution;
  float outline;
};

struct Varyings {
  float4 position : SV_Position;
  float2 uv : TEXCOORD0;
  float4 color : COLOR0;
};

Varyings VSMain(uint vertex : SV_VertexID, uint instance : SV_InstanceID) {
  Sprite sprite = sprites[instance];
  float2 corner = float2(vertex & 1, vertex >> 1);
  float2 centred = (corner - 0.5) * sprite.rectangle.zw;
  float s, c;
  sincos(sprite.rotation, s, c);
  float2 turned = float2(centred.x * c - centred.y * s, centred.x * s + centred.y * c);
  float2 pixel = sprite.rectangle.xy + 0.5 * sprite.rectangle.zw + turned;
  Varyings output;
  output.position = float4(pixel / resolution * float2(2, -2) + float2(-1, 1), 0, 1);
  output.uv = sprite.source.xy + corner * sprite.source.zw;
  output.color = sprite.color;
  return output;
}

float4 PSMain(Varyings input) : SV_Target0 {
  float4 color = atlas.Sample(smooth, input.uv) * input.color;
  clip(color.a - 0.004);
  return color;
}

// The atlas holds a signed distance in alpha.
float4 PSText(Varyings input) : SV_Target0 {
  float distance = atlas.Sample(smooth, input.uv).a - 0.5;
  float width = fwidth(distance);
  float fill = smoothstep(-width, width, distance);
  float edge = smoothstep(-width, width, distance + outline);
  return float4(input.color.rgb * fill, edge * input.color.a);
}
