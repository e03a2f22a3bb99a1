// SPDX-License-Identifier: Apache-2.0
// Structures and what address spaces ask of them. https://www.w3.org/TR/WGSL/#struct-types
#include <algorithm>

#include "base/inline_vector.h"
#include "core/layout.h"
#include "wgsl/resolve/limits.h"
#include "wgsl/resolve/resolver.h"

namespace kiln::wgsl::resolve {

namespace {

constexpr uint64_t kMaxSize = 0xffff'ffff;

}  // namespace

void Resolver::ResolveStruct(ast::Struct* decl) {
  CheckAttributes(decl->attributes, Place::kOther);
  if (decl->members.size() > kMaxMembers) {
    Error(decl->members[kMaxMembers]->name_range, "too-many-members")
        << "a structure has at most " << kMaxMembers << " members, this one has " << decl->members.size();
    decl->type = core::Poison();
    return;
  }
  auto specs = arena_.MakeArray<core::MemberSpec>(decl->members.size());
  bool fine = true;
  auto* info = arena_.Make<StructInfo>();
  for (size_t i = 0; i < specs.size(); ++i) {
    ast::StructMember* member = decl->members[i];
    if (!ResolveMember(decl, member, specs[i], i + 1 == specs.size())) fine = false;
    info->nesting = std::max(info->nesting, NestingOf(member->type));
    info->holds_array |= HoldsArray(member->type);
  }
  if (!CheckMemberNames(decl)) fine = false;
  ++info->nesting;
  decl->info = info;
  if (fine && info->nesting > kMaxTypeNesting) {
    Error(decl->name_range, "type-too-deep") << "the type is nested deeper than " << kMaxTypeNesting << " levels";
    fine = false;
  }
  if (!fine) {
    decl->type = core::Poison();
    return;
  }
  const core::StructType* type = types_.Struct(Text(decl->name), specs);
  if (type->size > kMaxSize) {
    Error(decl->name_range, "type-too-large")
        << "the structure would take " << type->size << " bytes; at most " << kMaxSize << " are possible";
    decl->type = core::Poison();
    return;
  }
  type->owner = decl;
  decl->type = type;
  ordered_structs_.push_back(decl);
}

bool Resolver::CheckMemberNames(const ast::Struct* decl) {
  InlineVector<const ast::StructMember*> sorted;
  for (const ast::StructMember* member : decl->members) sorted.push_back(member);
  std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return a->name.id != b->name.id ? a->name.id < b->name.id : a->name_range.begin < b->name_range.begin;
  });
  bool fine = true;
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (!sorted[i]->name || sorted[i]->name != sorted[i - 1]->name) continue;
    Error(sorted[i]->name_range, "redeclared-name").Note(sorted[i - 1]->name_range, "declared before here")
        << "the structure " << Quoted(decl->name) << " has two members named " << Quoted(sorted[i]->name);
    fine = false;
  }
  return fine;
}

bool Resolver::ResolveMember(ast::Struct* decl, ast::StructMember* member, core::MemberSpec& spec, bool is_last) {
  spec.name = Text(member->name);
  spec.type = member->type = TypeOf(member->type_expr);
  bool fine = CheckAttributes(member->attributes, Place::kMember);
  ResolveIo(member->attributes, spec.io);
  if (member->type->is_poison()) return false;
  const auto* array = member->type->As<core::ArrayType>();
  if (array != nullptr && array->is_runtime_sized()) {
    if (!is_last) {
      Error(member->type_expr->range, "runtime-array-not-last")
          << "only the last member of a structure can be a runtime-sized array";
      return false;
    }
  } else if (!CheckElementType(member->type, member->type_expr->range, decl, member)) {
    return false;
  }
  int64_t number = 0;
  if (const auto* align = ast::Find(member->attributes, ast::AttributeKind::kAlign)) {
    if (!ConstInteger(align, 1, number)) {
      fine = false;
    } else if ((number & (number - 1)) != 0) {
      Error(align->args.front()->range, "bad-align") << "@align must be a power of two, not " << number;
      fine = false;
    } else if (number % member->type->align != 0) {
      Error(align->args.front()->range, "bad-align")
          << "@align must be a multiple of the alignment of " << Quoted(member->type) << ", which is "
          << member->type->align << ", not " << number;
      fine = false;
    } else {
      spec.explicit_align = static_cast<uint32_t>(number);
    }
  }
  if (const auto* size = ast::Find(member->attributes, ast::AttributeKind::kSize)) {
    if (!ConstInteger(size, 1, number)) {
      fine = false;
    } else if (!member->type->Has(Type::kCreationFixed)) {
      Error(size->range, "bad-size") << "@size cannot stand on a member whose size is not fixed";
      fine = false;
    } else if (static_cast<uint64_t>(number) < member->type->size) {
      Error(size->args.front()->range, "bad-size") << "@size must be at least the size of " << Quoted(member->type)
                                                   << ", which is " << member->type->size << ", not " << number;
      fine = false;
    } else {
      spec.explicit_size = static_cast<uint64_t>(number);
    }
  }
  return fine;
}

namespace {

void MarkAbi(const Type* type) {
  if (const auto* array = type->As<core::ArrayType>()) return MarkAbi(array->element);
  const auto* structure = type->As<core::StructType>();
  if (structure == nullptr || structure->abi) return;
  structure->abi = true;
  for (const core::StructMember& member : structure->members) MarkAbi(member.type);
}

}  // namespace

void Resolver::MarkHostVisible(const Type* type) { MarkAbi(type); }

// https://www.w3.org/TR/WGSL/#address-space-layout-constraints
bool Resolver::CheckLayoutIn(const Type* type, core::AddressSpace space, Range range) {
  const bool is_host = space == core::AddressSpace::kUniform || space == core::AddressSpace::kStorage ||
                       space == core::AddressSpace::kImmediate;
  if (!is_host) return true;
  MarkHostVisible(type);
  const core::LayoutProblem problem =
      core::CheckLayout(type, space, HasFeature(core::LanguageFeature::kUniformBufferStandardLayout));
  if (!problem) return true;
  Range place = range;
  if (problem.structure != nullptr && problem.structure->owner != nullptr) {
    const auto* decl = static_cast<const ast::Struct*>(problem.structure->owner);
    place = problem.member != nullptr ? decl->members[problem.member->index]->name_range : decl->name_range;
  }
  Error(place, "bad-layout").Note(range, "used in the address space '" + std::string(core::Name(space)) + "' here")
      << problem.message;
  return false;
}

}  // namespace kiln::wgsl::resolve
