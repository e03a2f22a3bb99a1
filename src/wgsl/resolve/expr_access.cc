// SPDX-License-Identifier: Apache-2.0
// Parts of composites and memory views: index, member, swizzle, `&`, `*`.
// https://www.w3.org/TR/WGSL/#composite-value-decomposition-expr
#include "base/edit_distance.h"
#include "wgsl/resolve/resolver.h"

namespace kiln::wgsl::resolve {

// https://www.w3.org/TR/WGSL/#address-of-expr
const Type* Resolver::ResolveAddressOf(ast::Unary* unary) {
  const Type* type = Expression(unary->operand);
  unary->phase = ast::Phase::kRuntime;
  if (type->is_poison()) return type;
  const auto* view = type->As<core::ReferenceType>();
  if (view == nullptr) {
    auto error = Error(unary->range, "no-address");
    error << "cannot take the address of ";
    if (const ast::Variable* variable = VariableOf(*unary->operand)) {
      error << Quoted(variable->name) << ", which is a"
            << (variable->variable_kind == ast::VariableKind::kOverride ? "n " : " ")
            << Describe(variable->variable_kind) << " and not in memory";
      error.Note(variable->name_range, Quoted(variable->name) + " is declared here");
    } else {
      error << "a value of type " << Quoted(type) << ", which is not in memory";
    }
    return core::Poison();
  }
  if (view->space == core::AddressSpace::kHandle) {
    Error(unary->range, "no-address") << "cannot take the address of a "
                                      << (view->store->Is(TypeKind::kSampler) ? "sampler" : "texture");
    return core::Poison();
  }
  const ast::Expr* object = nullptr;
  if (const auto* index = unary->operand->TryAs<ast::Index>()) object = index->object;
  const auto* member = unary->operand->TryAs<ast::Member>();
  const bool is_component = member != nullptr && member->swizzle_size != 0;
  if (is_component || (object != nullptr && StoreOf(object->type)->Is(TypeKind::kVec))) {
    Error(unary->range, "no-address") << "cannot take the address of a component of a vector";
    return core::Poison();
  }
  return types_.Pointer(view->space, view->store, view->access);
}

// https://www.w3.org/TR/WGSL/#indirection-expr
const Type* Resolver::ResolveDeref(ast::Unary* unary) {
  const Type* type = Value(unary->operand);
  unary->phase = ast::Phase::kRuntime;
  if (type->is_poison()) return type;
  const auto* pointer = type->As<core::PointerType>();
  if (pointer == nullptr) {
    Error(unary->range, "not-a-pointer") << "'*' needs a pointer, not a value of type " << Quoted(type);
    return core::Poison();
  }
  return types_.Reference(pointer->space, pointer->store, pointer->access);
}

/// What a value, a reference or a pointer is a view of.
const Type* Resolver::StoreOf(const Type* type) {
  if (type->Is(TypeKind::kReference)) return static_cast<const core::ReferenceType*>(type)->store;
  if (type->Is(TypeKind::kPointer)) return static_cast<const core::PointerType*>(type)->store;
  return type;
}

// The object of an access: as a view of memory where it is one, else as a value.
bool Resolver::ResolveObject(ast::Expr* object, View& view) {
  const Type* type = Expression(object);
  if (type->is_poison()) return false;
  if (const auto* reference = type->As<core::ReferenceType>()) {
    if (reference->store->Is(TypeKind::kPointer)) KILN_UNREACHABLE("a pointer in memory");
    view = {reference->store, true, reference->space, reference->access};
    return true;
  }
  if (const auto* pointer = type->As<core::PointerType>()) {
    if (!CheckExtension(core::Extension::kNone, core::LanguageFeature::kPointerCompositeAccess,
                        "an access through a pointer without '*'", object->range)) {
      return false;
    }
    view = {pointer->store, true, pointer->space, pointer->access};
    return true;
  }
  view = {type, false, {}, {}};
  return true;
}

const Type* Resolver::ResolveIndex(ast::Index* index) {
  View view;
  const bool fine = ResolveObject(index->object, view);
  const Type* index_type = Value(index->index);
  index->phase = index->object->phase > index->index->phase ? index->object->phase : index->index->phase;
  if (!fine || index_type->is_poison()) return core::Poison();
  const Type* element = core::ElementOf(view.store);
  if (element == nullptr) {
    Error(index->object->range, "not-indexable") << "cannot index a value of type " << Quoted(view.store);
    return core::Poison();
  }
  if (!index_type->is_integer_scalar()) {
    Error(index->index->range, "type-mismatch")
        << "an index must be an 'i32' or 'u32', not a value of type " << Quoted(index_type);
    return core::Poison();
  }
  if (Materialize(index->index)->is_poison()) return core::Poison();
  if (!view.is_memory && view.store->is_abstract() && index->index->phase != ast::Phase::kConst) {
    const Type* concrete = Materialize(index->object);
    if (concrete->is_poison()) return core::Poison();
    view.store = concrete;
    element = core::ElementOf(concrete);
  }
  if (!context_.skip_evaluation && !CheckIndex(index, view.store)) return core::Poison();
  if (view.is_memory) {
    if (IsHandle(view.store)) return types_.Reference(core::AddressSpace::kHandle, element, core::Access::kRead);
    return types_.Reference(view.space, element, view.access);
  }
  if (index->phase == ast::Phase::kConst && !context_.skip_evaluation && index->object->value != nullptr &&
      index->index->value != nullptr) {
    if (!SetValue(index, core::EvalIndex(types_, index->object->value, index->index->value->i()), index->range)) {
      return core::Poison();
    }
  }
  return element;
}

bool Resolver::CheckIndex(const ast::Index* index, const Type* store) {
  const core::Constant* value = index->index->value;
  if (value == nullptr) return true;
  const int64_t at = value->i();
  const auto* array = store->As<core::ArrayType>();
  const bool has_count = array == nullptr ? true : array->is_fixed_size();
  const uint32_t count = array != nullptr                     ? array->count
                         : store->Is(TypeKind::kBindingArray) ? static_cast<const core::BindingArrayType*>(store)->count
                                                              : core::ElementCountOf(store);
  if (at >= 0 && (!has_count || at < count)) return true;
  auto error = Error(index->index->range, "index-out-of-range");
  error << "the index " << at << " is out of range: " << Quoted(store);
  if (has_count)
    error << " has the elements 0 to " << count - 1;
  else
    error << " has no negative elements";
  return false;
}

const Type* Resolver::ResolveMember(ast::Member* member) {
  View view;
  const bool fine = ResolveObject(member->object, view);
  member->phase = member->object->phase;
  if (!fine || !member->name) return core::Poison();
  if (view.store->Is(TypeKind::kVec)) return ResolveSwizzle(member, view);
  const auto* structure = view.store->As<core::StructType>();
  if (structure == nullptr) {
    auto error = Error(member->name_range, "no-member");
    error << "a value of type " << Quoted(view.store) << " has no members";
    return core::Poison();
  }
  const core::StructMember* found = FindMember(structure, member->name);
  if (found == nullptr) {
    auto error = Error(member->name_range, "no-member");
    error << "the structure " << Quoted(view.store) << " has no member " << Quoted(member->name);
    std::vector<std::string_view> candidates;
    for (const core::StructMember& candidate : structure->members) candidates.push_back(candidate.name);
    const std::string_view near = NearestName(Text(member->name), candidates);
    if (!near.empty()) error.Hint("did you mean '" + std::string(near) + "'?");
    if (structure->owner != nullptr) {
      const auto* decl = static_cast<const ast::Struct*>(structure->owner);
      error.Note(decl->name_range, Quoted(decl->name) + " is declared here");
    }
    return core::Poison();
  }
  member->index = found->index;
  if (view.is_memory) return types_.Reference(view.space, found->type, view.access);
  if (member->object->value != nullptr) member->value = core::EvalMember(types_, member->object->value, found->index);
  return found->type;
}

const core::StructMember* Resolver::FindMember(const core::StructType* structure, Name name) const {
  if (structure->owner == nullptr) return structure->FindMember(Text(name));
  const auto* decl = static_cast<const ast::Struct*>(structure->owner);
  uint32_t index = 0;
  for (const ast::StructMember* member : decl->members) {
    if (member->name == name) return &structure->members[index];
    ++index;
  }
  return nullptr;
}

// https://www.w3.org/TR/WGSL/#vector-access-expr
const Type* Resolver::ResolveSwizzle(ast::Member* member, const View& view) {
  const auto* vec = static_cast<const core::VecType*>(view.store);
  const std::string_view letters = Text(member->name);
  uint8_t lanes[4] = {};
  bool is_color = false;
  bool is_position = false;
  bool is_swizzle = letters.size() <= 4;
  for (size_t i = 0; is_swizzle && i < letters.size(); ++i) {
    const size_t position = std::string_view("xyzw").find(letters[i]);
    const size_t color = std::string_view("rgba").find(letters[i]);
    is_position |= position != std::string_view::npos;
    is_color |= color != std::string_view::npos;
    if (position == std::string_view::npos && color == std::string_view::npos) is_swizzle = false;
    lanes[i] = static_cast<uint8_t>((position != std::string_view::npos ? position : color) & 3);
  }
  if (!is_swizzle || (is_color && is_position)) {
    auto error = Error(member->name_range, "bad-swizzle");
    if (is_swizzle)
      error << "the swizzle '" << letters << "' mixes 'xyzw' and 'rgba'";
    else
      error << "'" << letters << "' is no swizzle of " << Quoted(view.store)
            << ": up to four letters of 'xyzw' or of 'rgba'";
    return core::Poison();
  }
  for (size_t i = 0; i < letters.size(); ++i) {
    if (lanes[i] < vec->width) continue;
    Error(member->name_range, "bad-swizzle")
        << Quoted(view.store) << " has no component '" << letters.substr(i, 1) << "', only " << vec->width;
    return core::Poison();
  }
  member->swizzle_size = static_cast<uint8_t>(letters.size());
  member->index = 0;
  for (size_t i = 0; i < letters.size(); ++i) member->index |= static_cast<uint32_t>(lanes[i]) << (2 * i);
  const Type* result = vec->element;
  if (letters.size() > 1) result = types_.Vec(vec->element, static_cast<uint32_t>(letters.size()));
  if (view.is_memory) return types_.Reference(view.space, result, view.access);
  if (member->object->value != nullptr) {
    member->value = core::EvalSwizzle(types_, member->object->value, std::span<const uint8_t>(lanes, letters.size()));
  }
  return result;
}

}  // namespace kiln::wgsl::resolve
