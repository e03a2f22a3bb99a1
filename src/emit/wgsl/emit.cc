// SPDX-License-Identifier: Apache-2.0
// Module scope: directives, structures, constants, overrides, variables, functions, in this order.
#include "emit/wgsl/emit.h"

#include "core/layout.h"
#include "core/predeclared.h"
#include "emit/wgsl/writer.h"
#include "ir/walk.h"

namespace kiln::emit::wgsl {

Result<std::string> Emit(const ir::Module& module, diag::Sink& sink) {
  Writer writer(module, sink);
  writer.Run();
  if (writer.has_failed()) return sink.FailedBecauseReported();
  return writer.Take();
}

void Writer::Fail(diag::Range range, std::string_view what) {
  has_failed_ = true;
  sink_.Error(range, "wgsl-cannot-express") << "WGSL cannot express " << what;
}

void Writer::Run() {
  Directives();
  Aliases();
  for (const ir::StructDecl* decl : module_.structs) Structure(*decl);
  for (const ir::NamedConst* decl : module_.consts) {
    Write("const ", names_.Of(*decl), " = ");
    Constant(decl->value);
    out_ += ";\n";
  }
  if (!module_.consts.empty()) out_ += '\n';
  for (const ir::Override* decl : module_.overrides) {
    if (decl->override_id) Write("@id(", *decl->override_id, ") ");
    Write("override ", names_.Of(*decl), ": ");
    Type(decl->type);
    if (decl->init) {
      out_ += " = ";
      Value(*decl->init);
    }
    out_ += ";\n";
  }
  if (!module_.overrides.empty()) out_ += '\n';
  for (const ir::Var* decl : module_.vars) ModuleVar(*decl);
  if (!module_.vars.empty()) out_ += '\n';
  for (const ir::Function* function : module_.functions) FunctionDecl(*function);
  // One line break at the end.
  while (out_.ends_with("\n\n")) out_.pop_back();
}

void Writer::Type(const core::Type* type) {
  for (const auto& [aliased, name] : aliases_) {
    if (aliased == type) return Append(name);
  }
  if (type->is_scalar() && type->kind > core::TypeKind::kF16) Fail({}, "a number of type " + core::TypeName(type));
  if (type->Is(core::TypeKind::kInputAttachment)) Fail({}, "an input attachment");
  if (const auto* array = type->As<core::ArrayType>()) {
    if (array->stride != core::ArrayStride(array->element)) Fail({}, "an array with a stride of its own");
  }
  if (const auto* pointer = type->As<core::PointerType>()) {
    // Here, so that the store type may be an alias.
    Write("ptr<", core::Name(pointer->space), ", ");
    Type(pointer->store);
    if (pointer->space == core::AddressSpace::kStorage) Write(", ", core::Name(pointer->access));
    out_ += '>';
    return;
  }
  names_.AppendType(out_, type, [&](std::string&, const ir::Count& count) { Value(*count.value); });
}

// -------------------------------------------------------------------------------------------------------- directives

core::ExtensionSet Writer::NeededExtensions() const {
  core::ExtensionSet needed = module_.enables;
  const auto note_io = [&](const core::IoAttributes* io) {
    if (io == nullptr) return;
    if (io->blend_src) needed.Add(core::Extension::kDualSourceBlending);
    if (io->builtin && core::Info(*io->builtin).extension != core::Extension::kNone) {
      needed.Add(core::Info(*io->builtin).extension);
    }
  };
  const auto note_type = [&](const core::Type* type) {
    if (const auto* pointer = type->As<core::PointerType>()) type = pointer->store;
    if (type->Has(core::Type::kHoldsF16)) needed.Add(core::Extension::kF16);
  };
  const auto note_expr = [&](ir::Expr*& expr) {
    note_type(expr->type);
    if (!expr->Is(ir::ExprKind::kBuiltin)) return;
    const core::BuiltinFn fn = expr->builtin();
    if (fn >= core::BuiltinFn::kSubgroupAdd && fn <= core::BuiltinFn::kQuadSwapY) {
      needed.Add(core::Extension::kSubgroups);
    }
  };
  for (const ir::StructDecl* decl : module_.structs) {
    note_type(decl->type);
    for (const core::StructMember& member : decl->structure().members) note_io(&member.io);
  }
  for (const ir::NamedConst* decl : module_.consts) note_type(decl->type);
  for (const ir::Override* decl : module_.overrides) note_type(decl->type);
  for (const ir::Var* decl : module_.vars) note_type(decl->type);
  for (const ir::Function* function : module_.functions) {
    note_type(function->type);
    note_io(function->result_io);
    for (const ir::Param* param : function->params) {
      note_type(param->type);
      note_io(param->io);
    }
    ir::WalkExprs(const_cast<ir::Block&>(function->body), note_expr);
    if (function->entry && function->entry->subgroup_size) needed.Add(core::Extension::kSubgroupSizeControl);
  }
  return needed;
}

void Writer::Directives() {
  const core::ExtensionSet enables = NeededExtensions();
  for (size_t i = 0; i < core::AllNames<core::Extension>().size(); ++i) {
    const auto extension = static_cast<core::Extension>(i);
    if (enables.Has(extension)) Write("enable ", core::Name(extension), ";\n");
  }
  for (size_t i = 0; i < core::AllNames<core::LanguageFeature>().size(); ++i) {
    const auto feature = static_cast<core::LanguageFeature>(i);
    if (module_.requirements.Has(feature)) Write("requires ", core::Name(feature), ";\n");
  }
  for (const ir::DiagnosticFilter& filter : module_.diagnostics) {
    Write("diagnostic(", core::Name(filter.severity), ", ", filter.rule, ");\n");
  }
  if (!out_.empty()) out_ += '\n';
}

/// Types that are sized by an expression are the same only by way of an alias: each writing of the expression is a
/// count of its own. (One that is sized by the name of an override needs none.)
void Writer::Aliases() {
  std::vector<std::pair<const core::Type*, int>> uses;
  const auto note = [&](const core::Type* type) {
    if (const auto* pointer = type->As<core::PointerType>()) type = pointer->store;
    const core::OverrideCount* count = nullptr;
    if (const auto* array = type->As<core::ArrayType>()) count = array->override_count;
    if (const auto* buffer = type->As<core::BufferType>()) count = buffer->override_bytes;
    if (count == nullptr || ir::CountOf(*count).value->Is(ir::ExprKind::kRef)) return;
    for (auto& [known, number] : uses) {
      if (known == type) {
        ++number;
        return;
      }
    }
    uses.emplace_back(type, 1);
  };
  for (const ir::Var* var : module_.vars) note(var->type);
  for (const ir::Function* function : module_.functions) {
    for (const ir::Param* param : function->params) note(param->type);
  }
  std::string text;
  for (const auto& [type, number] : uses) {
    if (number < 2) continue;
    std::string name;
    size_t suffix = aliases_.size();
    do {
      name = "Sized" + std::to_string(suffix++);
    } while (names_.IsUsed(name));
    Write("alias ", name, " = ");
    Type(type);
    out_ += ";\n";
    aliases_.emplace_back(type, name);
  }
  if (!aliases_.empty()) out_ += '\n';
}

// ------------------------------------------------------------------------------------------------------ declarations

void Writer::Io(const core::IoAttributes* io) {
  if (io == nullptr) return;
  if (io->location) Write("@location(", *io->location, ") ");
  if (io->blend_src) Write("@blend_src(", *io->blend_src, ") ");
  if (io->builtin) {
    Write("@builtin(", core::Name(*io->builtin));
    if (io->depth_mode) Write(", ", core::Name(*io->depth_mode));
    out_ += ") ";
  }
  if (io->interpolation) {
    Write("@interpolate(", core::Name(*io->interpolation));
    if (io->sampling) Write(", ", core::Name(*io->sampling));
    out_ += ") ";
  }
  if (io->invariant) out_ += "@invariant ";
}

void Writer::Structure(const ir::StructDecl& decl) {
  Write("struct ", names_.Of(decl), " {\n");
  uint64_t end = 0;
  for (const core::StructMember& member : decl.structure().members) {
    out_ += "  ";
    if (member.align != 0 && member.offset != core::RoundUp(member.align, end)) {
      Fail(decl.range, "an explicit offset of a member");
    }
    end = member.offset + member.size;
    if (member.explicit_align) Write("@align(", member.explicit_align, ") ");
    if (member.explicit_size) Write("@size(", member.explicit_size, ") ");
    Io(&member.io);
    Write(decl.member_name(member.index), ": ");
    Type(member.type);
    out_ += ",\n";
  }
  out_ += "}\n\n";
}

void Writer::ModuleVar(const ir::Var& decl) {
  const auto& pointer = decl.type->To<core::PointerType>();
  if (decl.binding) Write("@group(", decl.binding->group, ") @binding(", decl.binding->binding, ") ");
  out_ += "var";
  if (pointer.space == core::AddressSpace::kIn || pointer.space == core::AddressSpace::kOut) {
    Fail(decl.range, "a stage input or output that is a variable");
  }
  if (pointer.space != core::AddressSpace::kHandle) {
    Write("<", core::Name(pointer.space));
    if (pointer.space == core::AddressSpace::kStorage && pointer.access != core::Access::kRead) {
      Write(", ", core::Name(pointer.access));
    }
    out_ += '>';
  }
  Write(" ", names_.Of(decl));
  // The results of some built-in functions have no name: the initialiser gives the type.
  const auto* structure = pointer.store->As<core::StructType>();
  const bool is_nameless = structure && structure->is_builtin_result;
  if (!is_nameless) {
    out_ += ": ";
    Type(pointer.store);
  }
  if (decl.init) {
    out_ += " = ";
    Value(*decl.init);
  } else if (is_nameless) {
    out_ += " = ";
    Constant(core::Constant::Zero(scratch_, pointer.store));
  }
  out_ += ";\n";
}

void Writer::Entry(const ir::EntryPoint& entry) {
  Write("@", core::Name(entry.stage), " ");
  const ir::Expr* const first = entry.workgroup_size[0];
  if (first) {
    // What is not written is 1 of the type of the first.
    size_t count = 3;
    for (; count > 1; --count) {
      const ir::Expr* last = entry.workgroup_size[count - 1];
      const bool is_one = last->Is(ir::ExprKind::kConstant) && last->constant_name() == nullptr &&
                          last->type == first->type && last->constant()->i() == 1;
      if (!is_one) break;
    }
    out_ += "@workgroup_size";
    Arguments({entry.workgroup_size.data(), count});
    out_ += ' ';
  }
  if (entry.subgroup_size) {
    out_ += "@subgroup_size(";
    Value(*entry.subgroup_size);
    out_ += ") ";
  }
}

void Writer::FunctionDecl(const ir::Function& function) {
  if (function.must_use) out_ += "@must_use ";
  if (function.entry) Entry(*function.entry);
  Write("fn ", names_.Of(function), "(");
  bool is_first = true;
  for (const ir::Param* param : function.params) {
    if (!is_first) out_ += ", ";
    is_first = false;
    Io(param->io);
    Write(names_.Of(*param), ": ");
    Type(param->type);
  }
  out_ += ')';
  if (!function.type->Is(core::TypeKind::kVoid)) {
    out_ += " -> ";
    Io(function.result_io);
    Type(function.type);
  }
  out_ += ' ';
  Braced(function.body);
  out_ += "\n\n";
}

}  // namespace kiln::emit::wgsl
