// SPDX-License-Identifier: Apache-2.0
// Texture built-ins. An external texture is one plane here: a sampled 2d texture that the host has converted.
// https://www.w3.org/TR/WGSL/#texture-builtin-functions
#include "emit/spirv/guards.h"

namespace kiln::emit::spirv {

using core::BuiltinFn;
using core::TextureDim;
using core::TextureKind;
using core::TypeKind;
using spv::Glsl;

namespace {

// What the image instructions must know of a texture or texel buffer.
struct Shape {
  bool is_storage = false;  // storage texture or texel buffer: read and written, no levels
  bool is_multisampled = false;
  bool is_arrayed = false;
  bool is_depth = false;
  uint32_t query_width = 2;  // components of a size query without layers
  const core::Type* sampled = nullptr;
};

Shape ShapeOf(const core::Type* type) {
  Shape shape;
  if (const auto* buffer = type->As<core::TexelBufferType>()) {
    shape.is_storage = true;
    shape.query_width = 1;
    shape.sampled = buffer->sampled;
    return shape;
  }
  const auto& texture = type->To<core::TextureType>();
  shape.is_storage = texture.texture == TextureKind::kStorage;
  shape.is_multisampled = texture.is_multisampled();
  shape.is_arrayed = texture.is_arrayed();
  shape.is_depth = texture.is_depth();
  shape.query_width = texture.dim == TextureDim::k1d ? 1 : texture.dim == TextureDim::k3d ? 3 : 2;
  shape.sampled = texture.sampled;
  return shape;
}

}  // namespace

Id Emitter::TextureBuiltin(const ir::Expr* expr) {
  if (options_.external_textures == ExternalTextures::kPlanes && expr->operand_count > 0) {
    const auto* texture = expr->operand(0)->type->As<core::TextureType>();
    if (texture != nullptr && texture->texture == TextureKind::kExternal) return ExternalBuiltin(expr);
  }
  switch (expr->builtin()) {
    case BuiltinFn::kTextureDimensions:
    case BuiltinFn::kTextureNumLayers:
      return TextureDimensions(expr);
    case BuiltinFn::kTextureNumLevels:
    case BuiltinFn::kTextureNumSamples: {
      const Handle handle = HandleOf(expr->operand(0));
      const spv::Op op =
          expr->builtin() == BuiltinFn::kTextureNumLevels ? spv::Op::kImageQueryLevels : spv::Op::kImageQuerySamples;
      return TextureCount(expr, op, handle, 0);
    }
    case BuiltinFn::kTextureLoad:
      return TextureLoad(expr);
    case BuiltinFn::kTextureStore:
      return TextureStore(expr);
    case BuiltinFn::kTextureGather:
    case BuiltinFn::kTextureGatherCompare:
      return TextureGather(expr);
    default:
      return TextureSample(expr);
  }
}

namespace {

// Whether it is the constant 0: a level or a sample that every texture has, so that there is nothing to clamp. Not only
// shorter: ESSL has no query for the number of levels.
bool IsZero(const ir::Expr* expr) { return expr->Is(ir::ExprKind::kConstant) && expr->constant()->i() == 0; }

}  // namespace

Id Emitter::TextureDimensions(const ir::Expr* expr) {
  Need(spv::Capability::kImageQuery);
  const Shape shape = ShapeOf(expr->operand(0)->type);
  const Handle handle = HandleOf(expr->operand(0));
  const Id image = LoadHandle(handle);
  const bool has_levels = !shape.is_storage && !shape.is_multisampled;
  Id level = 0;
  if (has_levels) {
    level = U32(0);
    if (expr->operand_count > 1) {
      level = Value(expr->operand(1));
      if (expr->operand(1)->type == core::I32()) level = Op(spv::Op::kBitcast, U32Id(), level);
      if (protect_.texture_bounds && !IsZero(expr->operand(1))) {
        const Id levels = TextureCount(expr, spv::Op::kImageQueryLevels, handle, image);
        const Id last = Op(spv::Op::kISub, U32Id(), levels, U32(1));
        level = Ext(Glsl::kUMin, U32Id(), level, last);
      }
    }
  }
  const uint32_t width = shape.query_width + (shape.is_arrayed ? 1 : 0);
  const Id size_type = VecId(core::U32(), width);
  const Id size = has_levels ? Op(spv::Op::kImageQuerySizeLod, size_type, image, level)
                             : Op(spv::Op::kImageQuerySize, size_type, image);
  if (expr->builtin() == BuiltinFn::kTextureNumLayers) {
    return Op(spv::Op::kCompositeExtract, U32Id(), size, width - 1);
  }
  if (!shape.is_arrayed) return size;
  if (shape.query_width == 1) return Op(spv::Op::kCompositeExtract, U32Id(), size, 0u);
  const Id lanes[] = {0, 1, 2};
  const Id id = NewId();
  body_.OpList(spv::Op::kVectorShuffle, std::span(lanes, shape.query_width), TypeId(expr->type), id, size, size);
  return id;
}

namespace {

// Where the arguments of a load or store stand.
struct TexelArgs {
  const ir::Expr* coords = nullptr;
  const ir::Expr* layer = nullptr;
  const ir::Expr* last = nullptr;  // level, sample index, or the value to store
};

TexelArgs TexelArgsOf(const ir::Expr* expr, bool is_arrayed) {
  TexelArgs args;
  uint32_t next = 1;
  args.coords = expr->operand(next++);
  if (is_arrayed) args.layer = expr->operand(next++);
  if (next < expr->operand_count) args.last = expr->operand(next);
  return args;
}

}  // namespace

// Coordinates are taken as u32, so that a negative one is past every edge.
Id Emitter::TextureLoad(const ir::Expr* expr) {
  const Shape shape = ShapeOf(expr->operand(0)->type);
  const TexelArgs args = TexelArgsOf(expr, shape.is_arrayed);
  const Handle handle = HandleOf(expr->operand(0));
  const auto as_u32 = [&](const ir::Expr* e) {
    const Id value = Value(e);
    if (core::ScalarOf(e->type) == core::U32()) return value;
    const uint32_t n = e->type->Is(TypeKind::kVec) ? core::ElementCountOf(e->type) : 1;
    return Op(spv::Op::kBitcast, VecId(core::U32(), n), value);
  };
  Id coords = as_u32(args.coords);
  const Id layer = args.layer != nullptr ? as_u32(args.layer) : 0;
  Id last = args.last != nullptr ? as_u32(args.last) : 0;
  const Id image = LoadHandle(handle);
  const uint32_t width = shape.query_width + (shape.is_arrayed ? 1 : 0);
  const Id coords_type = VecId(core::U32(), width);
  if (layer != 0) coords = Op(spv::Op::kCompositeConstruct, coords_type, coords, layer);
  const bool has_levels = !shape.is_storage && !shape.is_multisampled;
  const bool is_first = args.last == nullptr || IsZero(args.last);
  if (has_levels && last == 0) last = U32(0);
  if (protect_.texture_bounds) {
    Need(spv::Capability::kImageQuery);
    const Id one = U32(1);
    if (is_first) {
      // nothing to clamp
    } else if (has_levels) {
      const Id levels = TextureCount(expr, spv::Op::kImageQueryLevels, handle, image);
      const Id last_level = Op(spv::Op::kISub, U32Id(), levels, one);
      last = Ext(Glsl::kUMin, U32Id(), last, last_level);
    } else if (shape.is_multisampled) {
      const Id samples = TextureCount(expr, spv::Op::kImageQuerySamples, handle, image);
      const Id last_sample = Op(spv::Op::kISub, U32Id(), samples, one);
      last = Ext(Glsl::kUMin, U32Id(), last, last_sample);
    }
    const Id size = has_levels ? Op(spv::Op::kImageQuerySizeLod, coords_type, image, last)
                               : Op(spv::Op::kImageQuerySize, coords_type, image);
    const core::Type* vec = width == 1 ? core::U32() : core::StaticVec(core::U32(), width);
    const Id ones = IntSplat(vec, 1);
    const Id edge = Op(spv::Op::kISub, coords_type, size, ones);
    coords = Ext(Glsl::kUMin, coords_type, coords, edge);
  }
  const Id texel = VecId(shape.sampled, 4);
  Id value;
  if (shape.is_storage) {
    value = Op(spv::Op::kImageRead, texel, image, coords);
  } else if (shape.is_multisampled) {
    value = Op(spv::Op::kImageFetch, texel, image, coords, spv::kImageSample, last);
  } else {
    value = Op(spv::Op::kImageFetch, texel, image, coords, spv::kImageLod, last);
  }
  return shape.is_depth ? Op(spv::Op::kCompositeExtract, TypeId(expr->type), value, 0u) : value;
}

Id Emitter::TextureStore(const ir::Expr* expr) {
  const Shape shape = ShapeOf(expr->operand(0)->type);
  const TexelArgs args = TexelArgsOf(expr, shape.is_arrayed);
  const Handle handle = HandleOf(expr->operand(0));
  const uint32_t width = shape.query_width + (shape.is_arrayed ? 1 : 0);
  const Id coords_type = VecId(core::U32(), width);
  Id coords = Value(args.coords);
  if (core::ScalarOf(args.coords->type) != core::U32()) {
    coords = Op(spv::Op::kBitcast, VecId(core::U32(), shape.query_width), coords);
  }
  if (args.layer != nullptr) {
    Id layer = Value(args.layer);
    if (args.layer->type != core::U32()) layer = Op(spv::Op::kBitcast, U32Id(), layer);
    coords = Op(spv::Op::kCompositeConstruct, coords_type, coords, layer);
  }
  const Id value = Value(args.last);
  Guarded(0, [&] {
    const Id image = LoadHandle(handle);
    const auto write = [&] {
      body_.Op(spv::Op::kImageWrite, image, coords, value);
      return Id{0};
    };
    if (!protect_.texture_bounds) return write();
    Need(spv::Capability::kImageQuery);
    const Id size = Op(spv::Op::kImageQuerySize, coords_type, image);
    Id inside = Op(spv::Op::kULessThan, VecId(core::Bool(), width), coords, size);
    if (width > 1) inside = Op(spv::Op::kAll, BoolId(), inside);
    return If(inside, 0, write);
  });
  return 0;
}

Id Emitter::TextureSample(const ir::Expr* expr) {
  const BuiltinFn fn = expr->builtin();
  const Shape shape = ShapeOf(expr->operand(0)->type);
  const Handle texture = HandleOf(expr->operand(0));
  const Handle sampler = HandleOf(expr->operand(1));
  uint32_t next = 2;
  const core::Type* coords_type = expr->operand(next)->type;
  Id coords = Value(expr->operand(next++));
  if (shape.is_arrayed) {
    const ir::Expr* layer = expr->operand(next++);
    const Id value = Value(layer);
    const Id layer_float = Convert(value, layer->type, core::F32());
    coords = Op(spv::Op::kCompositeConstruct, VecId(core::F32(), core::ElementCountOf(coords_type) + 1), coords,
                layer_float);
  }
  std::array<Id, 2> extra{};
  uint32_t extra_count = 0;
  switch (fn) {
    case BuiltinFn::kTextureSampleBias:
    case BuiltinFn::kTextureSampleLevel:
    case BuiltinFn::kTextureSampleCompare:
    case BuiltinFn::kTextureSampleCompareLevel:
      extra_count = 1;
      break;
    case BuiltinFn::kTextureSampleGrad:
      extra_count = 2;
      break;
    default:
      break;
  }
  for (uint32_t i = 0; i < extra_count; ++i) {
    const ir::Expr* argument = expr->operand(next++);
    extra[i] = Value(argument);
    if (core::ScalarOf(argument->type)->is_integer_scalar()) {
      extra[i] = Convert(extra[i], argument->type, core::F32());  // the level of a depth texture is an integer
    }
  }
  const Id offset = next < expr->operand_count ? Value(expr->operand(next)) : 0;

  const Id image = LoadHandle(texture);
  const Id sampler_id = LoadHandle(sampler);
  if (fn == BuiltinFn::kTextureSampleBaseClampToEdge) {
    Need(spv::Capability::kImageQuery);
    const core::Type* vec2 = core::StaticVec(core::F32(), 2);
    const Id zero = U32(0);
    const Id size = Op(spv::Op::kImageQuerySizeLod, VecId(core::U32(), 2), image, zero);
    const Id size_float = Op(spv::Op::kConvertUToF, TypeId(vec2), size);
    const Id halves = FloatSplat(vec2, 0.5);
    const Id ones = FloatSplat(vec2, 1);
    const Id low = Op(spv::Op::kFDiv, TypeId(vec2), halves, size_float);
    const Id high = Op(spv::Op::kFSub, TypeId(vec2), ones, low);
    coords = Ext(Glsl::kFClamp, TypeId(vec2), coords, low, high);
  }
  const Id image_type = TypeId(expr->operand(0)->type);
  const Id sampled = Op(spv::Op::kSampledImage, SampledImageId(image_type), image, sampler_id);
  const uint32_t offset_bit = offset != 0 ? spv::kImageConstOffset : 0;

  // Operands after the coordinates: (reference,) mask, then what the mask names in order of its bits.
  std::array<Id, 8> operands;
  size_t count = 0;
  operands[count++] = sampled;
  operands[count++] = coords;
  spv::Op op = spv::Op::kImageSampleImplicitLod;
  uint32_t mask = offset_bit;
  std::array<Id, 2> lod{};
  size_t lod_count = 0;
  switch (fn) {
    case BuiltinFn::kTextureSample:
      break;
    case BuiltinFn::kTextureSampleBias: {
      mask |= spv::kImageBias;
      const Id low = FloatSplat(core::F32(), -16.0);
      const Id high = FloatSplat(core::F32(), 15.99);  // #texturesamplebias: clamped to [-16.0, 15.99]
      lod[lod_count++] = Ext(Glsl::kFClamp, TypeId(core::F32()), extra[0], low, high);
      break;
    }
    case BuiltinFn::kTextureSampleLevel:
      op = spv::Op::kImageSampleExplicitLod;
      mask |= spv::kImageLod;
      lod[lod_count++] = extra[0];
      break;
    case BuiltinFn::kTextureSampleBaseClampToEdge:
      op = spv::Op::kImageSampleExplicitLod;
      mask |= spv::kImageLod;
      lod[lod_count++] = FloatSplat(core::F32(), 0);
      break;
    case BuiltinFn::kTextureSampleGrad:
      op = spv::Op::kImageSampleExplicitLod;
      mask |= spv::kImageGrad;
      lod[lod_count++] = extra[0];
      lod[lod_count++] = extra[1];
      break;
    case BuiltinFn::kTextureSampleCompare:
      op = spv::Op::kImageSampleDrefImplicitLod;
      operands[count++] = extra[0];
      break;
    case BuiltinFn::kTextureSampleCompareLevel:
      op = spv::Op::kImageSampleDrefExplicitLod;
      operands[count++] = extra[0];
      mask |= spv::kImageLod;
      lod[lod_count++] = FloatSplat(core::F32(), 0);
      break;
    default:
      return Unsupported(expr, core::Name(fn));
  }
  if (mask != 0) {
    operands[count++] = mask;
    for (size_t i = 0; i < lod_count; ++i) operands[count++] = lod[i];
    if (offset != 0) operands[count++] = offset;
  }
  const bool is_compare = fn == BuiltinFn::kTextureSampleCompare || fn == BuiltinFn::kTextureSampleCompareLevel;
  const Id type = is_compare ? TypeId(core::F32()) : VecId(shape.sampled, 4);
  const Id value = OpList(op, type, std::span<const Id>(operands.data(), count));
  return shape.is_depth && !is_compare ? Op(spv::Op::kCompositeExtract, TypeId(core::F32()), value, 0u) : value;
}

Id Emitter::TextureGather(const ir::Expr* expr) {
  const bool is_compare = expr->builtin() == BuiltinFn::kTextureGatherCompare;
  uint32_t next = 0;
  Id component = 0;
  // A gather from a depth texture has no component argument.
  if (!expr->operand(0)->type->Is(TypeKind::kTexture)) {
    const ir::Expr* argument = expr->operand(next++);
    component = Value(argument);
    if (argument->Is(ir::ExprKind::kConstant)) component = U32(argument->constant()->u32());
  }
  const ir::Expr* texture = expr->operand(next++);
  const Shape shape = ShapeOf(texture->type);
  const Handle image_handle = HandleOf(texture);
  const Handle sampler_handle = HandleOf(expr->operand(next++));
  const core::Type* coords_type = expr->operand(next)->type;
  Id coords = Value(expr->operand(next++));
  if (shape.is_arrayed) {
    const ir::Expr* layer = expr->operand(next++);
    const Id value = Value(layer);
    const Id layer_float = Convert(value, layer->type, core::F32());
    coords = Op(spv::Op::kCompositeConstruct, VecId(core::F32(), core::ElementCountOf(coords_type) + 1), coords,
                layer_float);
  }
  const Id reference = is_compare ? Value(expr->operand(next++)) : 0;
  const Id offset = next < expr->operand_count ? Value(expr->operand(next)) : 0;
  const Id image = LoadHandle(image_handle);
  const Id sampler = LoadHandle(sampler_handle);
  const Id sampled = Op(spv::Op::kSampledImage, SampledImageId(TypeId(texture->type)), image, sampler);
  std::array<Id, 5> operands = {sampled, coords, is_compare ? reference : component != 0 ? component : U32(0)};
  size_t count = 3;
  if (offset != 0) {
    operands[count++] = spv::kImageConstOffset;
    operands[count++] = offset;
  }
  return OpList(is_compare ? spv::Op::kImageDrefGather : spv::Op::kImageGather, TypeId(expr->type),
                std::span<const Id>(operands.data(), count));
}

}  // namespace kiln::emit::spirv
