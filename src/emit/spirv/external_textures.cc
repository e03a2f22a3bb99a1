// SPDX-License-Identifier: Apache-2.0
// texture_external as a video decoder delivers it (ExternalTextures::kPlanes in emit.h): one or two planes, colours by
// a matrix and a change of gamut, coordinates by transforms. https://www.w3.org/TR/WGSL/#external-texture-type,
// https://www.w3.org/TR/webgpu/#gpuexternaltexture. Both planes are read and the result is selected, so that there is
// no control flow; where there is one plane the host binds it twice.
#include <map>

#include "emit/spirv/emitter.h"

namespace kiln::emit::spirv {

using core::BuiltinFn;
using spv::Glsl;

namespace {

// Rows of the parameters, as emit.h describes them.
enum Row : uint32_t {
  kFacts = 0,
  kYuvToRgb = 1,
  kDecode = 4,
  kEncode = 6,
  kGamut = 8,
  kSampleTransform = 11,
  kLoadTransform = 13,
  kRects = 15,
  kPlane1Scale = 17,
  kRowCount = 18,
};

}  // namespace

// The variables besides the one of the source: for every external texture of the module, used or not, so that where
// they are bound depends on nothing else.
void Emitter::MakeExternals() {
  std::map<uint32_t, uint32_t> next;
  for (const ir::Var* var : module_.vars) {
    if (var->binding) next[var->binding->group] = std::max(next[var->binding->group], var->binding->binding + 1);
  }
  for (const ir::Var* var : module_.vars) {
    const auto& pointer = var->type->To<core::PointerType>();
    const auto* texture = pointer.store->As<core::TextureType>();
    if (texture == nullptr || texture->texture != core::TextureKind::kExternal || !var->binding) continue;
    External external;
    external.texture = var;
    const auto make = [&](const char* suffix, core::AddressSpace space, const core::Type* store) {
      auto made = std::make_unique<ir::Var>();
      made->kind = ir::DeclKind::kVar;
      made->id = static_cast<uint32_t>(global_ids_.size());
      made->name = types_.arena().Copy(std::string_view(std::string(var->name) + suffix));
      made->type = types_.Pointer(space, store, core::Access::kRead);
      made->binding = ir::BindingPoint{var->binding->group, next[var->binding->group]++};
      global_ids_.push_back(0);
      return made;
    };
    external.plane1 =
        make("_plane1", core::AddressSpace::kHandle, types_.SampledTexture(core::TextureDim::k2d, core::F32()));
    external.params =
        make("_params", core::AddressSpace::kUniform, types_.Array(core::StaticVec(core::F32(), 4), kRowCount));
    externals_.push_back(std::move(external));
  }
}

Id Emitter::ExternalRow(const External& external, uint32_t row) {
  Place place = GlobalPlace(external.params.get());
  place.steps[place.step_count++] = {U32(row), false, false, 0};
  place.store = core::StaticVec(core::F32(), 4);
  return Load(place);
}

// Two rows of the parameters times (x, y, 1).
Id Emitter::ExternalTransform(const External& external, uint32_t row, Id coords) {
  const core::Type* f32 = core::F32();
  const Id one = FloatSplat(f32, 1);
  const Id zero = FloatSplat(f32, 0);
  const Id point = Op(spv::Op::kCompositeConstruct, VecId(f32, 4), coords, one, zero);
  const Id first = ExternalRow(external, row);
  const Id x = Op(spv::Op::kDot, TypeId(f32), first, point);
  const Id second = ExternalRow(external, row + 1);
  const Id y = Op(spv::Op::kDot, TypeId(f32), second, point);
  return Op(spv::Op::kCompositeConstruct, VecId(f32, 2), x, y);
}

// sign(v) * (|v| < d ? c |v| + f : (a |v| + b)^g + e), of (g, a, b, c) and (d, e, f).
Id Emitter::ExternalTransfer(const External& external, uint32_t row, Id value) {
  const core::Type* f32 = core::F32();
  const core::Type* vec = core::StaticVec(f32, 3);
  const Id type = TypeId(vec);
  const Id first = ExternalRow(external, row);
  const Id second = ExternalRow(external, row + 1);
  const auto part = [&](Id from, uint32_t index) { return Splat(Extract(from, f32, index), vec); };
  const Id g = part(first, 0), a = part(first, 1), b = part(first, 2), c = part(first, 3);
  const Id d = part(second, 0), e = part(second, 1), f = part(second, 2);
  const Id size = Ext(Glsl::kFAbs, type, value);
  const Id sign = Ext(Glsl::kFSign, type, value);
  const Id scaled = Op(spv::Op::kFMul, type, c, size);
  const Id line = Op(spv::Op::kFAdd, type, scaled, f);
  const Id inner = Op(spv::Op::kFMul, type, a, size);
  const Id base = Op(spv::Op::kFAdd, type, inner, b);
  const Id power = Ext(Glsl::kPow, type, base, g);
  const Id curve = Op(spv::Op::kFAdd, type, power, e);
  const Id is_line = Op(spv::Op::kFOrdLessThan, VecId(core::Bool(), 3), size, d);
  const Id chosen = Op(spv::Op::kSelect, type, is_line, line, curve);
  return Op(spv::Op::kFMul, type, sign, chosen);
}

// The colour of what was read from the planes.
Id Emitter::ExternalColor(const External& external, Id texel0, Id texel1) {
  const core::Type* f32 = core::F32();
  const core::Type* vec3 = core::StaticVec(f32, 3);
  const Id color_type = TypeId(vec3), bools = VecId(core::Bool(), 3);
  const Id one = FloatSplat(f32, 1);
  const Id zero = FloatSplat(f32, 0);
  const Id half = FloatSplat(f32, 0.5);
  const Id facts = ExternalRow(external, kFacts);
  const auto rows = [&](uint32_t row, Id vector) {
    std::array<Id, 3> parts;
    for (uint32_t i = 0; i < 3; ++i) {
      const Id weights = ExternalRow(external, row + i);
      parts[i] = Op(spv::Op::kDot, TypeId(f32), weights, vector);
    }
    return OpList(spv::Op::kCompositeConstruct, color_type, parts);
  };
  const auto is_set = [&](uint32_t index, Id bound) {
    return Op(spv::Op::kFOrdGreaterThan, BoolId(), Extract(facts, f32, index), bound);
  };
  const auto splat = [&](Id condition) {
    return Op(spv::Op::kCompositeConstruct, bools, condition, condition, condition);
  };
  const Id luma = Extract(texel0, f32, 0);
  const Id cb = Extract(texel1, f32, 0);
  const Id cr = Extract(texel1, f32, 1);
  const Id yuv = Op(spv::Op::kCompositeConstruct, VecId(f32, 4), luma, cb, cr, one);
  const Id of_two = rows(kYuvToRgb, yuv);
  const Id of_one = Op(spv::Op::kVectorShuffle, color_type, texel0, texel0, 0u, 1u, 2u);
  const Id is_two = is_set(0, FloatSplat(f32, 1.5));
  const Id color = Op(spv::Op::kSelect, color_type, splat(is_two), of_two, of_one);
  const Id alpha_of_one = Extract(texel0, f32, 3);
  const Id alpha = Op(spv::Op::kSelect, TypeId(f32), is_two, one, alpha_of_one);
  const Id linear = ExternalTransfer(external, kDecode, color);
  const Id padded = Op(spv::Op::kCompositeConstruct, VecId(f32, 4), linear, zero);
  const Id moved = rows(kGamut, padded);
  const Id encoded = ExternalTransfer(external, kEncode, moved);
  const Id is_done = is_set(1, half);
  const Id result = Op(spv::Op::kSelect, color_type, splat(is_done), color, encoded);
  return Op(spv::Op::kCompositeConstruct, VecId(f32, 4), result, alpha);
}

Id Emitter::ExternalBuiltin(const ir::Expr* expr) {
  const Handle handle = HandleOf(expr->operand(0));
  const External* external = nullptr;
  for (const External& each : externals_) {
    if (each.texture == handle.var) external = &each;
  }
  if (external == nullptr || handle.is_indexed) return Unsupported(expr, "an external texture in an array");
  const core::Type* f32 = core::F32();
  const core::Type* vec2 = core::StaticVec(f32, 2);
  const Id vec2_id = TypeId(vec2), uvec2_id = VecId(core::U32(), 2), texel_id = VecId(f32, 4);
  const auto pair = [&](Id row, uint32_t first) {
    return Op(spv::Op::kVectorShuffle, vec2_id, row, row, first, first + 1);
  };
  const auto size = [&] { return Op(spv::Op::kConvertFToU, uvec2_id, pair(ExternalRow(*external, kFacts), 2)); };
  if (expr->builtin() == BuiltinFn::kTextureDimensions) return size();
  Handle second;
  second.var = external->plane1.get();
  Use(second.var);
  const std::array<const Handle*, 2> planes = {&handle, &second};
  std::array<Id, 2> texels;
  if (expr->builtin() == BuiltinFn::kTextureSampleBaseClampToEdge) {
    const Handle sampler = HandleOf(expr->operand(1));
    const Id coords = Value(expr->operand(2));
    const Id at = ExternalTransform(*external, kSampleTransform, coords);
    const Id level = FloatSplat(f32, 0);
    for (uint32_t plane = 0; plane < 2; ++plane) {
      const Id rect = ExternalRow(*external, kRects + plane);
      const Id low = pair(rect, 0);
      const Id high = pair(rect, 2);
      const Id inside = Ext(Glsl::kFClamp, vec2_id, at, low, high);
      const Id image = LoadHandle(*planes[plane]);
      const Id sampler_id = LoadHandle(sampler);
      const Id image_type = TypeId(planes[plane]->var->type->To<core::PointerType>().store);
      const Id sampled = Op(spv::Op::kSampledImage, SampledImageId(image_type), image, sampler_id);
      texels[plane] = Op(spv::Op::kImageSampleExplicitLod, texel_id, sampled, inside, spv::kImageLod, level);
    }
    return ExternalColor(*external, texels[0], texels[1]);
  }
  if (expr->builtin() != BuiltinFn::kTextureLoad) return Unsupported(expr, core::Name(expr->builtin()));
  Id coords = Value(expr->operand(1));
  if (core::ScalarOf(expr->operand(1)->type) != core::U32()) coords = Op(spv::Op::kBitcast, uvec2_id, coords);
  const Id ones = IntSplat(core::StaticVec(core::U32(), 2), 1);
  const Id last = Op(spv::Op::kISub, uvec2_id, size(), ones);
  coords = Ext(Glsl::kUMin, uvec2_id, coords, last);
  const Id wanted = Op(spv::Op::kConvertUToF, vec2_id, coords);
  const Id moved = ExternalTransform(*external, kLoadTransform, wanted);
  Id at = Ext(Glsl::kRoundEven, vec2_id, moved);
  const Id zero = U32(0);
  for (uint32_t plane = 0; plane < 2; ++plane) {
    if (plane == 1) {
      const Id scale = pair(ExternalRow(*external, kPlane1Scale), 0);
      at = Op(spv::Op::kFMul, vec2_id, at, scale);
    }
    Id texel = Op(spv::Op::kConvertFToU, uvec2_id, at);
    const Id image = LoadHandle(*planes[plane]);
    if (protect_.texture_bounds) {
      Need(spv::Capability::kImageQuery);
      const Id extent = Op(spv::Op::kImageQuerySizeLod, uvec2_id, image, zero);
      const Id edge = Op(spv::Op::kISub, uvec2_id, extent, ones);
      texel = Ext(Glsl::kUMin, uvec2_id, texel, edge);
    }
    texels[plane] = Op(spv::Op::kImageFetch, texel_id, image, texel, spv::kImageLod, zero);
  }
  return ExternalColor(*external, texels[0], texels[1]);
}

}  // namespace kiln::emit::spirv
