// SPDX-License-Identifier: Apache-2.0
// Expressions that denote types: predeclared types, generators with their template arguments, aliases, structures.
// https://www.w3.org/TR/WGSL/#types
#include "base/edit_distance.h"
#include "core/layout.h"
#include "wgsl/resolve/limits.h"
#include "wgsl/resolve/resolver.h"

namespace kiln::wgsl::resolve {

namespace {

using core::TextureDim;
using core::TypeGenerator;

/// An expression as a message about a type shows it.
std::string CountText(std::string_view written) {
  constexpr size_t kLongest = 40;
  std::string text;
  for (const char c : written) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!is_blank) text += c;
    if (is_blank && !text.empty() && text.back() != ' ') text += ' ';
  }
  return text.size() <= kLongest ? text : "...";
}

}  // namespace

// https://www.w3.org/TR/WGSL/#composite-types. Types are no deeper than kMaxTypeNesting, so the recursion is bounded;
// what structures are is remembered, so that it is short.
uint32_t Resolver::NestingOf(const Type* type) {
  switch (type->kind) {
    case TypeKind::kVec:
      return 1;
    case TypeKind::kMat:
      return 2;
    case TypeKind::kArray:
      return 1 + NestingOf(type->To<core::ArrayType>().element);
    case TypeKind::kStruct: {
      const void* owner = type->To<core::StructType>().owner;
      return owner == nullptr ? 2
                              : static_cast<const StructInfo*>(static_cast<const ast::Struct*>(owner)->info)->nesting;
    }
    default:
      return 0;
  }
}

const Type* Resolver::TypeOf(ast::Expr* expr) {
  auto* ident = expr->TryAs<ast::Ident>();
  if (ident == nullptr) {
    Error(expr->range, "not-a-type") << "expected a type, found an expression";
    return Poison(expr);
  }
  if (ident->type != nullptr) return ident->type;  // resolved before, as the callee of a call
  const Denoted denoted = Lookup(ident->name);
  const Type* type = DenotedType(ident, denoted);
  ident->target_kind = static_cast<uint8_t>(TargetKind::kType);
  ident->target = type;
  ident->phase = ast::Phase::kConst;
  return ident->type = type;
}

const Type* Resolver::DenotedType(ast::Ident* ident, const Denoted& denoted) {
  const auto no_arguments = [&]() {
    if (ident->args.empty()) return true;
    Error({ident->name_end, ident->range.end}, "template-arguments-not-allowed")
        << "'" << Text(ident->name) << "' takes no template arguments";
    return false;
  };
  if (denoted.decl != nullptr) {
    const Type* type = nullptr;
    if (denoted.decl->Is<ast::Struct>() || denoted.decl->Is<ast::Alias>()) {
      EnsureResolved(denoted.decl, ident->range);
      auto* structure = denoted.decl->TryAs<ast::Struct>();
      type = structure != nullptr ? structure->type : denoted.decl->As<ast::Alias>()->type;
      Mention(denoted.decl);
      if (!no_arguments() || type == nullptr) return core::Poison();
      return type;
    }
  } else if (denoted.predeclared != nullptr) {
    const core::Predeclared& predeclared = *denoted.predeclared;
    if (predeclared.kind == core::PredeclaredKind::kType) {
      if (!CheckAvailable(predeclared, ident->name, ident->range) || !no_arguments()) return core::Poison();
      return predeclared.type;
    }
    if (predeclared.kind == core::PredeclaredKind::kGenerator) {
      if (!CheckAvailable(predeclared, ident->name, ident->range)) return core::Poison();
      return Generate(ident, predeclared.generator);
    }
  } else {
    ReportUnresolved(ident->name, ident->name_range(), true);
    return core::Poison();
  }
  auto error = Error(ident->range, "not-a-type");
  error << "'" << Text(ident->name) << "' is " << WhatIs(denoted) << ", not a type";
  NoteDeclared(error, denoted);
  return core::Poison();
}

bool Resolver::HoldsArray(const Type* type) {
  if (type->Is(TypeKind::kArray)) return true;
  const auto* structure = type->As<core::StructType>();
  if (structure == nullptr || structure->owner == nullptr) return false;
  return static_cast<const StructInfo*>(static_cast<const ast::Struct*>(structure->owner)->info)->holds_array;
}

bool Resolver::CheckTemplateCount(ast::Ident* ident, size_t least, size_t most) {
  const size_t count = ident->args.size();
  if (count >= least && count <= most) return true;
  auto error = Error(ident->range, "template-argument-count");
  error << "'" << Text(ident->name) << "' takes ";
  if (least != most) error << (count < least ? "at least " : "at most ");
  const size_t wanted = count < least ? least : most;
  error << wanted << (wanted == 1 ? " template argument, " : " template arguments, ");
  if (count == 0) {
    error << "none is given";
    const std::string_view name = Text(ident->name);
    if (name.substr(0, 3) == "vec" || name.substr(0, 3) == "mat") {
      error.Hint("write '" + std::string(name) + "<f32>' or '" + std::string(name) + "f'");
    }
  } else {
    error << count << (count == 1 ? " is given" : " are given");
  }
  return false;
}

const core::Predeclared* Resolver::Enumerant(ast::Expr* expr, core::PredeclaredKind kind) {
  const std::string_view wanted = kind == core::PredeclaredKind::kAddressSpace ? "an address space"
                                  : kind == core::PredeclaredKind::kAccess     ? "an access mode"
                                                                               : "a texel format";
  auto* ident = expr->TryAs<ast::Ident>();
  if (ident == nullptr) {
    Error(expr->range, "not-an-enumerant") << "expected " << wanted << ", found an expression";
    return nullptr;
  }
  const Denoted denoted = Lookup(ident->name);
  if (denoted.predeclared != nullptr && denoted.predeclared->kind == kind) {
    if (!ident->args.empty()) {
      Error(ident->range, "template-arguments-not-allowed")
          << "'" << Text(ident->name) << "' takes no template arguments";
      return nullptr;
    }
    if (!CheckAvailable(*denoted.predeclared, ident->name, ident->range)) return nullptr;
    ident->target_kind = static_cast<uint8_t>(TargetKind::kEnumerant);
    return denoted.predeclared;
  }
  auto error =
      Error(ident->range, denoted.decl == nullptr && denoted.predeclared == nullptr ? diag::Code("unresolved-name")
                                                                                    : diag::Code("not-an-enumerant"));
  error << "expected " << wanted << ", found '" << Text(ident->name) << "', which is " << WhatIs(denoted);
  NoteDeclared(error, denoted);
  if (denoted.decl != nullptr) {
    Mention(denoted.decl);
    return nullptr;
  }
  std::string_view near;
  if (kind == core::PredeclaredKind::kAddressSpace)
    near = NearestName(Text(ident->name), core::AllNames<core::AddressSpace>());
  if (kind == core::PredeclaredKind::kAccess) near = NearestName(Text(ident->name), core::AllNames<core::Access>());
  if (kind == core::PredeclaredKind::kTexelFormat)
    near = NearestName(Text(ident->name), core::AllNames<core::TexelFormat>());
  if (!near.empty() && near.substr(0, 2) != "__" && near != Text(ident->name)) {
    error.Hint("did you mean '" + std::string(near) + "'?");
  }
  return nullptr;
}

const Type* Resolver::Generate(ast::Ident* ident, TypeGenerator generator) {
  const auto index = static_cast<uint32_t>(generator);
  if (generator >= TypeGenerator::kVec2 && generator <= TypeGenerator::kVec4) {
    return GenerateVector(ident, index - static_cast<uint32_t>(TypeGenerator::kVec2) + 2);
  }
  if (generator >= TypeGenerator::kMat2x2 && generator <= TypeGenerator::kMat4x4) {
    const uint32_t shape = index - static_cast<uint32_t>(TypeGenerator::kMat2x2);
    return GenerateMatrix(ident, shape / 3 + 2, shape % 3 + 2);
  }
  switch (generator) {
    case TypeGenerator::kArray:
      return GenerateArray(ident);
    case TypeGenerator::kPtr:
      return GeneratePointer(ident);
    case TypeGenerator::kBuffer:
      return GenerateBuffer(ident);
    case TypeGenerator::kBindingArray:
      return GenerateBindingArray(ident);
    case TypeGenerator::kAtomic:
      return GenerateAtomic(ident);
    case TypeGenerator::kTextureStorage1d:
      return GenerateStorageTexture(ident, TextureDim::k1d);
    case TypeGenerator::kTextureStorage2d:
      return GenerateStorageTexture(ident, TextureDim::k2d);
    case TypeGenerator::kTextureStorage2dArray:
      return GenerateStorageTexture(ident, TextureDim::k2dArray);
    case TypeGenerator::kTextureStorage3d:
      return GenerateStorageTexture(ident, TextureDim::k3d);
    case TypeGenerator::kTexelBuffer:
      return GenerateTexelBuffer(ident);
    default:
      return GenerateSampledTexture(ident, generator);
  }
}

const Type* Resolver::GenerateVector(ast::Ident* ident, uint32_t width) {
  if (!CheckTemplateCount(ident, 1, 1)) return core::Poison();
  const Type* element = TypeOf(ident->args[0]);
  if (element->is_poison()) return core::Poison();
  if (element->is_scalar() && !element->is_abstract()) return types_.Vec(element, width);
  Error(ident->args[0]->range, "bad-element-type")
      << "a vector holds 'bool', 'i32', 'u32', 'f32' or 'f16', not " << Quoted(element);
  return core::Poison();
}

const Type* Resolver::GenerateMatrix(ast::Ident* ident, uint32_t columns, uint32_t rows) {
  if (!CheckTemplateCount(ident, 1, 1)) return core::Poison();
  const Type* element = TypeOf(ident->args[0]);
  if (element->is_poison()) return core::Poison();
  if (element->Is(TypeKind::kF32) || element->Is(TypeKind::kF16)) return types_.Mat(element, columns, rows);
  Error(ident->args[0]->range, "bad-element-type") << "a matrix holds 'f32' or 'f16', not " << Quoted(element);
  return core::Poison();
}

const Type* Resolver::GenerateAtomic(ast::Ident* ident) {
  if (!CheckTemplateCount(ident, 1, 1)) return core::Poison();
  const Type* element = TypeOf(ident->args[0]);
  if (element->is_poison()) return core::Poison();
  const bool is_pair = element == core::StaticVec(core::U32(), 2) && IsEnabled(core::Extension::kAtomicVec2uMinMax);
  if (element->Is(TypeKind::kI32) || element->Is(TypeKind::kU32) || is_pair) return types_.Atomic(element);
  Error(ident->args[0]->range, "bad-element-type") << "an atomic holds 'i32' or 'u32', not " << Quoted(element);
  return core::Poison();
}

const Type* Resolver::GenerateTexelBuffer(ast::Ident* ident) {
  if (!CheckTemplateCount(ident, 2, 2)) return core::Poison();
  const core::Predeclared* format = Enumerant(ident->args[0], core::PredeclaredKind::kTexelFormat);
  const core::Predeclared* access = Enumerant(ident->args[1], core::PredeclaredKind::kAccess);
  if (format == nullptr || access == nullptr) return core::Poison();
  if (access->access == core::Access::kWrite) {
    Error(ident->args[1]->range, "access-mode-not-allowed")
        << "the access mode of a texel buffer is 'read' or 'read_write'";
    return core::Poison();
  }
  return types_.TexelBuffer(format->format, access->access);
}

const Type* Resolver::GenerateSampledTexture(ast::Ident* ident, TypeGenerator generator) {
  if (!CheckTemplateCount(ident, 1, 1)) return core::Poison();
  const Type* sampled = TypeOf(ident->args[0]);
  if (sampled->is_poison()) return core::Poison();
  if (!sampled->Is(TypeKind::kF32) && !sampled->Is(TypeKind::kI32) && !sampled->Is(TypeKind::kU32)) {
    Error(ident->args[0]->range, "bad-element-type")
        << "a texture is sampled as 'f32', 'i32' or 'u32', not " << Quoted(sampled);
    return core::Poison();
  }
  switch (generator) {
    case TypeGenerator::kTexture1d:
      return types_.SampledTexture(TextureDim::k1d, sampled);
    case TypeGenerator::kTexture2d:
      return types_.SampledTexture(TextureDim::k2d, sampled);
    case TypeGenerator::kTexture2dArray:
      return types_.SampledTexture(TextureDim::k2dArray, sampled);
    case TypeGenerator::kTexture3d:
      return types_.SampledTexture(TextureDim::k3d, sampled);
    case TypeGenerator::kTextureCube:
      return types_.SampledTexture(TextureDim::kCube, sampled);
    case TypeGenerator::kTextureCubeArray:
      return types_.SampledTexture(TextureDim::kCubeArray, sampled);
    case TypeGenerator::kTextureMultisampled2d:
      return types_.MultisampledTexture(sampled);
    case TypeGenerator::kTextureMultisampled2dArray:
      return types_.MultisampledTexture(sampled, TextureDim::k2dArray);
    default:
      KILN_UNREACHABLE("a generator without a type");
  }
}

// https://www.w3.org/TR/WGSL/#texture-storage
const Type* Resolver::GenerateStorageTexture(ast::Ident* ident, TextureDim dim) {
  if (!CheckTemplateCount(ident, 2, 2)) return core::Poison();
  const core::Predeclared* format = Enumerant(ident->args[0], core::PredeclaredKind::kTexelFormat);
  const core::Predeclared* access = Enumerant(ident->args[1], core::PredeclaredKind::kAccess);
  if (format == nullptr || access == nullptr) return core::Poison();
  if (access->access != core::Access::kWrite &&
      !CheckExtension(core::Extension::kNone, core::LanguageFeature::kReadonlyAndReadwriteStorageTextures,
                      "a storage texture that is read", ident->args[1]->range)) {
    return core::Poison();
  }
  return types_.StorageTexture(dim, format->format, access->access);
}

// https://www.w3.org/TR/WGSL/#array-types: what an array or structure may hold.
bool Resolver::CheckElementType(const Type* element, Range range, const ast::Struct* decl,
                                const ast::StructMember* member) {
  const bool is_plain = element->is_scalar() || element->Is(TypeKind::kVec) || element->Is(TypeKind::kMat) ||
                        element->Is(TypeKind::kAtomic) || element->Is(TypeKind::kArray) ||
                        element->Is(TypeKind::kStruct);
  if (is_plain && element->Has(Type::kCreationFixed)) return true;
  auto error = Error(range, "bad-element-type");
  if (member == nullptr) {
    error << "an element of an array";
  } else {
    error << "the member " << Quoted(member->name) << " of " << Quoted(decl->name);
  }
  error << " cannot have the type " << Quoted(element)
        << (is_plain ? ", whose size is not known when the module is made"
                     : ": only scalars, vectors, matrices, atomics, arrays and structures may be part of another type");
  return false;
}

const Type* Resolver::GenerateArray(ast::Ident* ident) {
  if (!CheckTemplateCount(ident, 1, 2)) return core::Poison();
  const Type* element = TypeOf(ident->args[0]);
  Count count;
  bool has_count = false;
  if (ident->args.size() == 2) {
    count = ResolveCount(ident->args[1], "the element count of an array");
    has_count = true;
  }
  if (element->is_poison()) return core::Poison();
  if (!CheckElementType(element, ident->args[0]->range)) return core::Poison();
  if (NestingOf(element) >= kMaxTypeNesting) {
    Error(ident->range, "type-too-deep") << "the type is nested deeper than " << kMaxTypeNesting << " levels";
    return core::Poison();
  }
  if (!has_count) return types_.RuntimeArray(element);
  if (count.override_count != nullptr) return types_.OverrideArray(element, count.override_count);
  if (count.count == 0) return core::Poison();
  if (element->size != 0 && core::ArrayStride(element) * count.count > 0xffff'ffffull) {
    Error(ident->range, "type-too-large") << "the array would take " << core::ArrayStride(element) * count.count
                                          << " bytes; at most 4294967295 are possible";
    return core::Poison();
  }
  return types_.Array(element, count.count);
}

Resolver::Count Resolver::ResolveCount(ast::Expr* expr, std::string_view what) {
  // A count is part of a type: it is evaluated even where values are not.
  const bool saved = context_.skip_evaluation;
  context_.skip_evaluation = false;
  const Type* type = Value(expr);
  if (!type->is_poison() && !type->is_integer_scalar()) {
    Error(expr->range, "bad-element-count") << what << " must be an integer, not a value of type " << Quoted(type);
    type = Poison(expr);
  }
  if (!type->is_poison()) type = Materialize(expr);
  context_.skip_evaluation = saved;
  if (type->is_poison() || !RequirePhase(expr, ast::Phase::kOverride, what)) return {};
  if (expr->phase == ast::Phase::kConst) {
    if (expr->value == nullptr) return {};
    if (expr->value->i() <= 0) {
      Error(expr->range, "bad-element-count") << what << " must be greater than zero, not " << expr->value->i();
      return {};
    }
    return {expr->value->u32(), nullptr};
  }
  // Two types with a count that is the name of the same override are the same; any other expression is like no other.
  if (ast::Variable* variable = VariableOf(*expr); variable != nullptr && !expr->is_parenthesized) {
    const core::OverrideCount*& count = InfoOf(*variable)->count;
    if (count == nullptr) count = types_.NewOverrideCount(Text(variable->name), expr);
    return {0, count};
  }
  return {0, types_.NewOverrideCount(arena_.Copy(CountText(module_.TextOf(expr->range))), expr)};
}

// What a pointer may point to although no variable of the space has the type: what bufferView gives, and the buffers
// without a size that it takes. https://www.w3.org/TR/WGSL/#buffer-view-builtin-functions
bool Resolver::IsViewOfBuffer(const Type* store, core::AddressSpace space) const {
  if (!HasFeature(core::LanguageFeature::kBufferView)) return false;
  if (space != core::AddressSpace::kUniform && space != core::AddressSpace::kWorkgroup) return false;
  if (const auto* buffer = store->As<core::BufferType>()) return buffer->is_runtime_sized();
  return store->is_host_shareable() && !store->Has(Type::kHoldsAtomic);
}

// https://www.w3.org/TR/WGSL/#ref-ptr-types
const Type* Resolver::GeneratePointer(ast::Ident* ident) {
  if (!CheckTemplateCount(ident, 2, 3)) return core::Poison();
  const core::Predeclared* space = Enumerant(ident->args[0], core::PredeclaredKind::kAddressSpace);
  const Type* store = TypeOf(ident->args[1]);
  const core::Predeclared* access = nullptr;
  if (ident->args.size() == 3) {
    access = Enumerant(ident->args[2], core::PredeclaredKind::kAccess);
    if (access == nullptr) return core::Poison();
  }
  if (space == nullptr || store->is_poison()) return core::Poison();
  core::Access mode = core::DefaultAccess(space->space);
  if (access != nullptr) {
    if (space->space != core::AddressSpace::kStorage) {
      Error(ident->args[2]->range, "access-mode-not-allowed")
          << "only a pointer to the address space 'storage' can name an access mode, this one points to '"
          << core::Name(space->space) << "'";
      return core::Poison();
    }
    mode = access->access;
  }
  if (store->Is(TypeKind::kPointer) || IsHandle(store)) {
    Error(ident->args[1]->range, "bad-store-type") << "a pointer cannot point to " << Quoted(store);
    return core::Poison();
  }
  const Range range = ident->args[1]->range;
  const bool is_fine = IsViewOfBuffer(store, space->space)
                           ? CheckLayoutIn(store, space->space, range)
                           : CheckStore(store, space->space, mode, range, "what a pointer points to");
  if (!is_fine) return core::Poison();
  return types_.Pointer(space->space, store, mode);
}

// https://www.w3.org/TR/WGSL/#buffer-types
const Type* Resolver::GenerateBuffer(ast::Ident* ident) {
  if (ident->args.empty()) return types_.Buffer();
  if (!CheckTemplateCount(ident, 0, 1)) return core::Poison();
  const Count count = ResolveCount(ident->args[0], "the size of a buffer");
  if (count.override_count != nullptr) return types_.OverrideBuffer(count.override_count);
  if (count.count == 0) return core::Poison();
  const uint32_t unit = IsEnabled(core::Extension::kF16) ? 2 : 4;
  if (count.count % unit != 0) {
    Error(ident->args[0]->range, "bad-buffer-size")
        << "the size of a buffer must be a multiple of " << unit << ", not " << count.count;
    return core::Poison();
  }
  return types_.Buffer(count.count);
}

const Type* Resolver::GenerateBindingArray(ast::Ident* ident) {
  if (!CheckTemplateCount(ident, 2, 2)) return core::Poison();
  const Type* element = TypeOf(ident->args[0]);
  const Count count = ResolveCount(ident->args[1], "the element count of a binding array");
  if (element->is_poison()) return core::Poison();
  const auto* texture = element->As<core::TextureType>();
  if (texture == nullptr || texture->texture == core::TextureKind::kExternal) {
    Error(ident->args[0]->range, "bad-element-type") << "a binding array holds textures, not " << Quoted(element);
    return core::Poison();
  }
  if (count.override_count != nullptr) {
    Error(ident->args[1]->range, "bad-element-count")
        << "the element count of a binding array must be a const-expression";
    return core::Poison();
  }
  return count.count == 0 ? core::Poison() : types_.BindingArray(element, count.count);
}

}  // namespace kiln::wgsl::resolve
