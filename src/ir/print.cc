// SPDX-License-Identifier: Apache-2.0
#include "ir/print.h"

#include "core/layout.h"
#include "ir/printer.h"

namespace kiln::ir {

std::string Printer::Run() {
  Directives();
  for (const StructDecl* decl : module_.structs) Structure(*decl);
  for (const NamedConst* decl : module_.consts) {
    Flags(*decl);
    Write("const %", names_.Of(*decl), " = ");
    Constant(decl->value);
    Text(";\n");
  }
  for (const Override* decl : module_.overrides) OverrideDecl(*decl);
  for (size_t i = 0; i < module_.counts.size(); ++i) {
    Write("count $", i, " = ");
    Expression(*module_.counts[i]->value);
    Text(";\n");
  }
  for (const Var* decl : module_.vars) {
    Flags(*decl);
    if (decl->binding) Write("@group(", decl->binding->group, ") @binding(", decl->binding->binding, ") ");
    VarDecl(*decl);
  }
  for (const Function* function : module_.functions) FunctionDecl(*function);
  return std::move(out_);
}

void Printer::Type(const core::Type* type) {
  if (const auto* array = type->As<core::ArrayType>(); array && array->stride != core::ArrayStride(array->element)) {
    Write("array<");
    Type(array->element);
    Write(", ");
    array->is_fixed_size() ? Text(array->count) : Text("*");
    Write(", ", array->stride, ">");
  } else if (const auto* pointer = type->As<core::PointerType>()) {
    Write("ptr<", core::Name(pointer->space), ", ");
    Type(pointer->store);
    Write(", ", core::Name(pointer->access), ">");
  } else if (const auto* element = type->As<core::ArrayType>()) {
    Text("array<");
    Type(element->element);
    if (element->is_fixed_size()) Write(", ", element->count);
    if (element->is_override_sized()) Write(", $", CountIndex(*element->override_count));
    Text(">");
  } else if (const auto* structure = type->As<core::StructType>()) {
    const StructDecl* decl = names_.StructOf(*structure);
    if (decl == nullptr) return BuiltinResult(*structure);
    // These words are operations where a value is built.
    if (names_.Of(*decl) == "load" || names_.Of(*decl) == "convert" || names_.Of(*decl) == "bitcast") Text("%");
    Text(names_.Of(*decl));
  } else {
    names_.AppendType(out_, type, [&](std::string&, const Count& count) { Write("$", CountIndex(*count.count)); });
  }
}

void Printer::BuiltinResult(const core::StructType& structure) {
  const std::string_view second = structure.members.size() == 2 ? structure.members[1].name : "";
  Text(second == "exp" ? "frexp_result<" : second == "whole" ? "modf_result<" : "atomic_exchange_result<");
  if (!structure.members.empty()) Type(structure.members[0].type);
  Text(">");
}

size_t Printer::CountIndex(const core::OverrideCount& count) const {
  for (size_t i = 0; i < module_.counts.size(); ++i) {
    if (module_.counts[i]->count == &count) return i;
  }
  return module_.counts.size();
}

void Printer::Io(const core::IoAttributes* io) {
  if (io == nullptr) return;
  if (io->location) Write("@location(", *io->location, ") ");
  if (io->blend_src) Write("@blend_src(", *io->blend_src, ") ");
  if (io->builtin) {
    Write("@builtin(", core::Name(*io->builtin));
    if (io->depth_mode) Write(", ", core::Name(*io->depth_mode));
    Text(") ");
  }
  if (io->interpolation) {
    Write("@interpolate(", core::Name(*io->interpolation));
    if (io->sampling) Write(", ", core::Name(*io->sampling));
    Text(") ");
  }
  if (io->invariant) Text("@invariant ");
}

void Printer::Directives() {
  Set("enable", module_.enables);
  Set("requires", module_.requirements);
  for (const DiagnosticFilter& filter : module_.diagnostics) {
    Write("diagnostic ", core::Name(filter.severity), " ", filter.rule, ";\n");
  }
}

void Printer::Structure(const StructDecl& decl) {
  Flags(decl);
  Write("struct ", names_.Of(decl), " {\n");
  uint64_t end = 0;
  for (const core::StructMember& member : decl.structure().members) {
    Text("  ");
    if (member.explicit_align) Write("@align(", member.explicit_align, ") ");
    if (member.explicit_size) Write("@size(", member.explicit_size, ") ");
    if (member.align != 0 && member.offset != core::RoundUp(member.align, end)) Write("@offset(", member.offset, ") ");
    end = member.offset + member.size;
    Io(&member.io);
    Write(decl.member_name(member.index), ": ");
    Type(member.type);
    Text(",\n");
  }
  Text("}\n");
}

void Printer::OverrideDecl(const Override& decl) {
  Flags(decl);
  if (decl.override_id) Write("@id(", *decl.override_id, ") ");
  Write("override %", names_.Of(decl), ": ");
  Type(decl.type);
  Initializer(decl.init);
}

void Printer::VarDecl(const Var& decl) {
  Write("var %", names_.Of(decl), ": ");
  Type(decl.type);
  Initializer(decl.init);
}

void Printer::Initializer(const Expr* init) {
  if (init) {
    Text(" = ");
    Expression(*init);
  }
  Text(";\n");
}

void Printer::FunctionDecl(const Function& function) {
  Text("\n");
  Flags(function);
  if (function.must_use) Text("@must_use ");
  if (const EntryPoint* entry = function.entry) {
    Write("@", core::Name(entry->stage), " ");
    if (entry->workgroup_size[0]) {
      Text("@workgroup_size(");
      for (size_t i = 0; i < 3; ++i) {
        if (i) Text(", ");
        Expression(*entry->workgroup_size[i]);
      }
      Text(") ");
    }
    if (entry->subgroup_size) {
      Text("@subgroup_size(");
      Expression(*entry->subgroup_size);
      Text(") ");
    }
  }
  Write("fn %", names_.Of(function), "(");
  for (size_t i = 0; i < function.params.size(); ++i) {
    const Param& param = *function.params[i];
    if (i) Text(", ");
    Io(param.io);
    Write("%", names_.Of(param), ": ");
    Type(param.type);
  }
  Text(")");
  if (!function.type->Is(core::TypeKind::kVoid)) {
    Text(" -> ");
    Io(function.result_io);
    Type(function.type);
  }
  Text(" ");
  Braced(function.body);
  Text("\n");
}

std::string Print(const Module& module) { return Printer(module).Run(); }

}  // namespace kiln::ir
