// SPDX-License-Identifier: Apache-2.0
// Printable names: for every declaration of a module one that is a WGSL identifier and that means this declaration
// wherever it is used. The text form of the IR and the WGSL emitter print the same ones, so a module that went through
// WGSL text prints as before. A name is kept unless it is no identifier, is taken in an enclosing scope, or hides
// something predeclared that the module uses; then it gets a suffix _1, _2, ... Running it on its own result changes
// nothing, and equal modules give equal names.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "ir/module.h"

namespace kiln::ir {

class NameMap {
 public:
  explicit NameMap(const Module& module);
  NameMap(const NameMap&) = delete;
  NameMap& operator=(const NameMap&) = delete;

  /// Valid as long as this map and the module.
  std::string_view Of(const Decl& decl) const { return names_[decl.id]; }
  /// Whether any declaration has the name, or WGSL does.
  bool IsUsed(std::string_view name) const;
  /// The declaration of a structure; null for what a built-in function returns.
  const StructDecl* StructOf(const core::StructType& type) const;

  /// As core::TypeName, with the module's names for structures and what `append_count` writes for override counts.
  template <typename F>
  void AppendType(std::string& out, const core::Type* type, F&& append_count) const;

 private:
  friend class NameAssigner;
  Arena arena_;
  std::vector<std::string_view> names_;
  std::vector<std::pair<const core::StructType*, const StructDecl*>> structs_;  // sorted by pointer
};

template <typename F>
void NameMap::AppendType(std::string& out, const core::Type* type, F&& append_count) const {
  if (const auto* array = type->As<core::ArrayType>()) {
    out += "array<";
    AppendType(out, array->element, append_count);
    if (array->is_fixed_size()) out += ", " + std::to_string(array->count);
    if (array->is_override_sized()) {
      out += ", ";
      append_count(out, CountOf(*array->override_count));
    }
    out += '>';
  } else if (const auto* pointer = type->As<core::PointerType>()) {
    out.append("ptr<").append(core::Name(pointer->space)).append(", ");
    AppendType(out, pointer->store, append_count);
    if (pointer->space == core::AddressSpace::kStorage) out.append(", ").append(core::Name(pointer->access));
    out += '>';
  } else if (const auto* structure = type->As<core::StructType>()) {
    const StructDecl* decl = StructOf(*structure);
    out += decl ? Of(*decl) : structure->name;
  } else if (const auto* bindings = type->As<core::BindingArrayType>()) {
    out += "binding_array<";
    AppendType(out, bindings->element, append_count);
    if (bindings->count != 0) out += ", " + std::to_string(bindings->count);
    out += '>';
  } else if (const auto* buffer = type->As<core::BufferType>(); buffer && buffer->override_bytes) {
    out += "buffer<";
    append_count(out, CountOf(*buffer->override_bytes));
    out += '>';
  } else {
    core::AppendTypeName(out, type);
  }
}

/// Whether WGSL has the word as a keyword or reserves it.
bool IsReservedWord(std::string_view word);

}  // namespace kiln::ir
