@group(0) @binding(0) var textures: binding_array<texture_2d<f32>, 4>;

@fragment
fn main() {
  load_first(textures);
}

fn load_first(all: binding_array<texture_2d<f32>, 4>) {
  let texel = textureLoad(all[0], vec2(0, 0), 0);
}
