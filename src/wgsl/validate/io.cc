// SPDX-License-Identifier: Apache-2.0
#include "wgsl/validate/io.h"

#include <algorithm>

#include "base/inline_vector.h"

namespace kiln::wgsl::validate {

using ast::AttributeKind;

bool IsNumeric(const core::Type* type) {
  const core::Type* scalar = type->Is(core::TypeKind::kVec) ? core::ElementOf(type) : type;
  return scalar->is_numeric_scalar();
}

bool IsIntegral(const core::Type* type) {
  const core::Type* scalar = type->Is(core::TypeKind::kVec) ? core::ElementOf(type) : type;
  return scalar->is_integer_scalar();
}

diag::Range RangeOf(const IoDatum& datum, AttributeKind kind) {
  const ast::Attribute* attribute = ast::Find(*datum.attributes, kind);
  return attribute != nullptr ? attribute->range : datum.range;
}

namespace {

bool IsVectorOf(const core::Type* type, core::TypeKind element, uint32_t width) {
  const auto* vector = type->As<core::VecType>();
  return vector != nullptr && vector->width == width && vector->element->Is(element);
}

bool HasTypeOf(const core::Type* type, core::BuiltinValueInfo::Kind kind) {
  using Kind = core::BuiltinValueInfo::Kind;
  switch (kind) {
    case Kind::kU32:
      return type->Is(core::TypeKind::kU32);
    case Kind::kF32:
      return type->Is(core::TypeKind::kF32);
    case Kind::kBool:
      return type->Is(core::TypeKind::kBool);
    case Kind::kVec3U:
      return IsVectorOf(type, core::TypeKind::kU32, 3);
    case Kind::kVec4F:
      return IsVectorOf(type, core::TypeKind::kF32, 4);
    case Kind::kClip: {
      const auto* array = type->As<core::ArrayType>();
      return array != nullptr && array->element->Is(core::TypeKind::kF32) && array->is_fixed_size() &&
             array->count <= 8;
    }
  }
  KILN_UNREACHABLE("a kind of built-in value without a type");
}

std::string_view TypeTextOf(core::BuiltinValueInfo::Kind kind) {
  using Kind = core::BuiltinValueInfo::Kind;
  switch (kind) {
    case Kind::kU32:
      return "u32";
    case Kind::kF32:
      return "f32";
    case Kind::kBool:
      return "bool";
    case Kind::kVec3U:
      return "vec3<u32>";
    case Kind::kVec4F:
      return "vec4<f32>";
    case Kind::kClip:
      return "array<f32, N> with N at most 8";
  }
  KILN_UNREACHABLE("a kind of built-in value without a type");
}

}  // namespace

bool CheckIoDatum(Context& context, const IoDatum& datum) {
  const core::IoAttributes& io = *datum.io;
  diag::Sink& sink = context.sink;
  bool is_fine = true;
  if (io.location && io.builtin) {
    sink.Error(RangeOf(datum, AttributeKind::kBuiltin), "location-and-builtin")
            .Note(RangeOf(datum, AttributeKind::kLocation), "@location is here")
        << "an input or output is a built-in value or has a location, not both";
    is_fine = false;
  }
  // https://www.w3.org/TR/WGSL/#location-attr
  if (io.location && !IsNumeric(datum.type)) {
    sink.Error(RangeOf(datum, AttributeKind::kLocation), "location-type")
        << "@location can stand on a numeric scalar or vector only, not on '" << core::TypeName(datum.type) << "'";
    is_fine = false;
  }
  // https://www.w3.org/TR/WGSL/#builtin-inputs-outputs
  if (io.builtin && !HasTypeOf(datum.type, core::Info(*io.builtin).type)) {
    sink.Error(RangeOf(datum, AttributeKind::kBuiltin), "builtin-type")
        << "the built-in value '" << core::Name(*io.builtin) << "' must have the type "
        << TypeTextOf(core::Info(*io.builtin).type) << ", not '" << core::TypeName(datum.type) << "'";
    is_fine = false;
  }
  // https://www.w3.org/TR/WGSL/#invariant-attr
  if (io.invariant && io.builtin != core::BuiltinValue::kPosition) {
    sink.Error(RangeOf(datum, AttributeKind::kInvariant), "misplaced-invariant")
        << "@invariant can stand on @builtin(position) only";
    is_fine = false;
  }
  // https://www.w3.org/TR/WGSL/#interpolate-attr
  if (ast::Find(*datum.attributes, AttributeKind::kInterpolate) != nullptr && !io.location) {
    sink.Error(RangeOf(datum, AttributeKind::kInterpolate), "interpolate-without-location")
        << "@interpolate needs @location";
    is_fine = false;
  }
  // https://www.w3.org/TR/WGSL/#blend-src-attr
  if (io.blend_src && !io.location) {
    sink.Error(RangeOf(datum, AttributeKind::kBlendSrc), "blend-src-without-location") << "@blend_src needs @location";
    is_fine = false;
  }
  return is_fine;
}

// https://www.w3.org/TR/WGSL/#input-output-locations
bool CheckIoStruct(Context& context, const ast::Struct* decl, const core::StructType& type) {
  struct Located {
    const core::StructMember* member;
    const ast::StructMember* decl;
  };
  InlineVector<Located> located;
  const Located* blended = nullptr;
  bool is_fine = true;
  for (size_t i = 0; i < type.members.size(); ++i) {
    const core::StructMember& member = type.members[i];
    if (decl->members[i]->attributes.empty()) continue;
    is_fine &= CheckIoDatum(
        context, {&member.io, member.type, &decl->members[i]->attributes, decl->members[i]->name_range, true});
    if (member.io.location) located.push_back({&member, decl->members[i]});
  }
  for (const Located& l : located) {
    if (l.member->io.blend_src && blended == nullptr) blended = &l;
  }
  if (blended == nullptr) {
    std::sort(located.begin(), located.end(), [](const Located& a, const Located& b) {
      if (*a.member->io.location != *b.member->io.location) return *a.member->io.location < *b.member->io.location;
      return a.member->index < b.member->index;
    });
    for (size_t i = 1; i < located.size(); ++i) {
      if (*located[i].member->io.location != *located[i - 1].member->io.location) continue;
      context.sink.Error(ast::Find(located[i].decl->attributes, AttributeKind::kLocation)->range, "duplicate-location")
              .Note(ast::Find(located[i - 1].decl->attributes, AttributeKind::kLocation)->range, "used before here")
          << "two members of a structure have the location " << *located[i].member->io.location;
      is_fine = false;
    }
    return is_fine;
  }

  const diag::Range range = ast::Find(blended->decl->attributes, AttributeKind::kBlendSrc)->range;
  for (const Located& l : located) {
    if (!l.member->io.blend_src) {
      context.sink.Error(ast::Find(l.decl->attributes, AttributeKind::kLocation)->range, "blend-src-set")
              .Note(range, "@blend_src is used here")
          << "where one member has @blend_src, all members with @location need it";
      return false;
    }
    if (*l.member->io.location != 0) {
      context.sink.Error(ast::Find(l.decl->attributes, AttributeKind::kLocation)->range, "blend-src-set")
          << "@blend_src goes with location 0 only";
      return false;
    }
  }
  if (located.size() != 2) {
    context.sink.Error(range, "blend-src-set")
        << "a structure with @blend_src needs exactly two members with it: @blend_src(0) and @blend_src(1)";
    return false;
  }
  if (*located[0].member->io.blend_src == *located[1].member->io.blend_src) {
    context.sink.Error(ast::Find(located[1].decl->attributes, AttributeKind::kBlendSrc)->range, "blend-src-set")
            .Note(range, "used before here")
        << "two members have the same @blend_src";
    return false;
  }
  if (located[0].member->type != located[1].member->type) {
    context.sink.Error(located[1].decl->name_range, "blend-src-set")
            .Note(located[0].decl->name_range,
                  "the other has the type '" + core::TypeName(located[0].member->type) + "'")
        << "the two members with @blend_src must have the same type";
    return false;
  }
  return is_fine;
}

}  // namespace kiln::wgsl::validate
