// SPDX-License-Identifier: Apache-2.0
#include "ir/print.h"

#include <cmath>

#include "core/layout.h"
#include "ir/names.h"

namespace kiln::ir {
namespace {

class Printer {
 public:
  explicit Printer(const Module& module) : module_(module), names_(module) {}

  std::string Run() {
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

 private:
  // ------------------------------------------------------------------------------------------------------- pieces
  void Text(std::string_view text) { out_ += text; }
  template <std::integral T>
  void Text(T number) {
    out_ += std::to_string(number);
  }
  template <typename... Parts>
  void Write(const Parts&... parts) {
    (Text(parts), ...);
  }
  void Line() { out_.append(static_cast<size_t>(indent_) * 2, ' '); }

  void Type(const core::Type* type) {
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

  /// `frexp_result<f32>`, `modf_result<vec2<f32>>`, `atomic_exchange_result<u32>`: their names cannot be written.
  void BuiltinResult(const core::StructType& structure) {
    const std::string_view second = structure.members.size() == 2 ? structure.members[1].name : "";
    Text(second == "exp" ? "frexp_result<" : second == "whole" ? "modf_result<" : "atomic_exchange_result<");
    if (!structure.members.empty()) Type(structure.members[0].type);
    Text(">");
  }

  size_t CountIndex(const core::OverrideCount& count) const {
    for (size_t i = 0; i < module_.counts.size(); ++i) {
      if (module_.counts[i]->count == &count) return i;
    }
    return module_.counts.size();
  }

  void Flags(const Decl& decl) {
    if (decl.abi) Text("@abi ");
    if (decl.opaque) Text("@opaque ");
  }

  void Io(const core::IoAttributes* io) {
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

  // ------------------------------------------------------------------------------------------------- declarations
  template <typename E>
  void Set(std::string_view word, core::EnumSet<E> set) {
    for (size_t i = 0; i < core::AllNames<E>().size(); ++i) {
      if (set.Has(static_cast<E>(i))) Write(word, " ", core::Name(static_cast<E>(i)), ";\n");
    }
  }

  void Directives() {
    Set("enable", module_.enables);
    Set("requires", module_.requirements);
    for (const DiagnosticFilter& filter : module_.diagnostics) {
      Write("diagnostic ", core::Name(filter.severity), " ", filter.rule, ";\n");
    }
  }

  void Structure(const StructDecl& decl) {
    Flags(decl);
    Write("struct ", names_.Of(decl), " {\n");
    uint64_t end = 0;
    for (const core::StructMember& member : decl.structure().members) {
      Text("  ");
      if (member.explicit_align) Write("@align(", member.explicit_align, ") ");
      if (member.explicit_size) Write("@size(", member.explicit_size, ") ");
      if (member.align != 0 && member.offset != core::RoundUp(member.align, end))
        Write("@offset(", member.offset, ") ");
      end = member.offset + member.size;
      Io(&member.io);
      Write(decl.member_name(member.index), ": ");
      Type(member.type);
      Text(",\n");
    }
    Text("}\n");
  }

  void OverrideDecl(const Override& decl) {
    Flags(decl);
    if (decl.override_id) Write("@id(", *decl.override_id, ") ");
    Write("override %", names_.Of(decl), ": ");
    Type(decl.type);
    Initializer(decl.init);
  }

  void VarDecl(const Var& decl) {
    Write("var %", names_.Of(decl), ": ");
    Type(decl.type);
    Initializer(decl.init);
  }

  void Initializer(const Expr* init) {
    if (init) {
      Text(" = ");
      Expression(*init);
    }
    Text(";\n");
  }

  void FunctionDecl(const Function& function) {
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

  // --------------------------------------------------------------------------------------------------- statements
  void Filters(const Block& block) {
    for (const DiagnosticFilter& filter : block.filters) {
      Write("@diagnostic(", core::Name(filter.severity), ", ", filter.rule, ") ");
    }
  }

  void Braced(const Block& block) {
    Filters(block);
    Text("{\n");
    ++indent_;
    for (Stmt* stmt : block) {
      Line();
      Statement(*stmt);
    }
    --indent_;
    Line();
    Text("}");
  }

  void Statement(const Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::kLet:
        Write("let %", names_.Of(*stmt.As<LetStmt>()->let), " = ");
        Expression(*stmt.As<LetStmt>()->value);
        break;
      case StmtKind::kVar: {
        const Var& var = *stmt.As<VarStmt>()->var;
        const auto& pointer = var.type->To<core::PointerType>();
        Write("var %", names_.Of(var), ": ");
        Type(pointer.store);
        if (var.init) {
          Text(" = ");
          Expression(*var.init);
        }
        break;
      }
      case StmtKind::kStore:
        Text("store ");
        Expression(*stmt.As<StoreStmt>()->pointer);
        Text(" = ");
        Expression(*stmt.As<StoreStmt>()->value);
        break;
      case StmtKind::kEval:
        Text("eval ");
        Expression(*stmt.As<EvalStmt>()->value);
        break;
      case StmtKind::kReturn:
        Text("return");
        if (const Expr* value = stmt.As<ReturnStmt>()->value) {
          Text(" ");
          Expression(*value);
        }
        break;
      case StmtKind::kBreak:
        Text("break");
        break;
      case StmtKind::kContinue:
        Text("continue");
        break;
      case StmtKind::kDiscard:
        Text("discard");
        break;
      case StmtKind::kIf:
        If(*stmt.As<IfStmt>());
        Text("\n");
        return;
      case StmtKind::kSwitch:
        Switch(*stmt.As<SwitchStmt>());
        Text("\n");
        return;
      case StmtKind::kLoop:
        Loop(*stmt.As<LoopStmt>());
        Text("\n");
        return;
      case StmtKind::kBlock:
        Braced(stmt.As<BlockStmt>()->body);
        Text("\n");
        return;
    }
    Text(";\n");
  }

  void If(const IfStmt& stmt) {
    const IfStmt* at = &stmt;
    while (true) {
      Text("if ");
      Expression(*at->condition);
      Text(" ");
      Braced(at->then_block);
      if (at->else_block.is_empty()) return;
      Text(" else ");
      const Stmt* only = at->else_block.first;
      const bool is_chain = only == at->else_block.last && only->Is(StmtKind::kIf) && at->else_block.filters.empty();
      if (!is_chain) return Braced(at->else_block);
      at = only->As<IfStmt>();
    }
  }

  void Switch(const SwitchStmt& stmt) {
    Text("switch ");
    Expression(*stmt.selector);
    Text(" {\n");
    ++indent_;
    for (const Case& c : stmt.cases) {
      Line();
      Text("case ");
      bool is_first = true;
      for (const core::Constant* selector : c.selectors) {
        if (!is_first) Text(", ");
        is_first = false;
        Constant(selector);
      }
      if (c.is_default) Text(is_first ? "default" : ", default");
      Text(" ");
      Braced(c.block);
      Text("\n");
    }
    --indent_;
    Line();
    Text("}");
  }

  void Loop(const LoopStmt& stmt) {
    Text("loop ");
    Braced(stmt.body);
    if (stmt.continuing.is_empty() && stmt.break_if == nullptr) return;
    Text(" continuing ");
    if (stmt.break_if == nullptr) return Braced(stmt.continuing);
    Filters(stmt.continuing);
    Text("{\n");
    ++indent_;
    for (Stmt* inner : stmt.continuing) {
      Line();
      Statement(*inner);
    }
    Line();
    Text("break_if ");
    Expression(*stmt.break_if);
    Text(";\n");
    --indent_;
    Line();
    Text("}");
  }

  // -------------------------------------------------------------------------------------------------- expressions
  void Constant(const core::Constant* constant) {
    if (constant->form == core::Constant::Form::kScalar) return AppendScalar(out_, constant->type, constant->scalar());
    Type(constant->type);
    Text("{");
    if (!constant->IsZero()) {
      if (const core::Type* scalar = core::ScalarOf(constant->type)) {
        for (uint32_t i = 0; i < constant->ScalarCount(); ++i) {
          if (i) Text(", ");
          AppendScalar(out_, scalar, constant->ScalarAt(i));
        }
      } else if (constant->form == core::Constant::Form::kSplat) {
        Text("all ");
        Constant(constant->Element(scratch_, 0));
      } else {
        for (uint32_t i = 0; i < core::ElementCountOf(constant->type); ++i) {
          if (i) Text(", ");
          Constant(constant->Element(scratch_, i));
        }
      }
    }
    Text("}");
  }

  void Arguments(const Expr& expr) {
    Text("(");
    bool is_first = true;
    for (const Expr* operand : expr.operands()) {
      if (!is_first) Text(", ");
      is_first = false;
      Expression(*operand);
    }
    Text(")");
  }

  /// What `.` or `[` may follow.
  void Primary(const Expr& expr) {
    const bool is_closed = !expr.Is(ExprKind::kUnary) && !IsNegative(expr);
    if (!is_closed) Text("(");
    Expression(expr);
    if (!is_closed) Text(")");
  }

  static bool IsNegative(const Expr& expr) {
    if (!expr.Is(ExprKind::kConstant) || expr.constant_name()) return false;
    const core::Constant* constant = expr.constant();
    if (constant->form != core::Constant::Form::kScalar) return false;
    return constant->type->is_float_scalar() ? std::signbit(constant->f()) : constant->i() < 0;
  }

  void Infix(const Expr& expr, std::string_view op) {
    Text("(");
    Expression(*expr.operand(0));
    Write(" ", op, " ");
    Expression(*expr.operand(1));
    Text(")");
  }

  /// The type in angle brackets where the operands do not give it.
  void Builtin(const Expr& expr) {
    Text(core::Name(expr.builtin()));
    std::vector<const core::Type*> types;
    for (const Expr* operand : expr.operands()) types.push_back(operand->type);
    core::CallTarget target;
    core::CallArgs args;
    args.types = types;
    args.all_const = false;
    if (!core::MatchBuiltin(module_.types, expr.builtin(), args, target) || target.result != expr.type) {
      Text("<");
      Type(expr.type);
      Text(">");
    }
    Arguments(expr);
  }

  void Expression(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kConstant:
        if (const NamedConst* name = expr.constant_name()) return Write("%", names_.Of(*name));
        return Constant(expr.constant());
      case ExprKind::kRef:
        return Write("%", names_.Of(*expr.decl()));
      case ExprKind::kLoad:
        Text("load");
        return Arguments(expr);
      case ExprKind::kIndex:
        Primary(*expr.operand(0));
        Text("[");
        Expression(*expr.operand(1));
        return Text("]");
      case ExprKind::kMember: {
        Primary(*expr.operand(0));
        Text(".");
        const core::Type* base = expr.operand(0)->type;
        if (const auto* pointer = base->As<core::PointerType>()) base = pointer->store;
        const auto& structure = base->To<core::StructType>();
        const StructDecl* decl = names_.StructOf(structure);
        return Text(decl ? decl->member_name(expr.member()) : structure.members[expr.member()].name);
      }
      case ExprKind::kSwizzle: {
        Primary(*expr.operand(0));
        Text(".");
        const Swizzle swizzle = expr.swizzle();
        for (uint8_t i = 0; i < swizzle.count; ++i) out_ += "xyzw"[swizzle.component[i] & 3];
        return;
      }
      case ExprKind::kUnary: {
        Text(core::Name(expr.unary_op()));
        // `-1i` is a constant; the negation of one is `-(1i)`.
        const bool is_literal = expr.operand(0)->Is(ExprKind::kConstant);
        if (is_literal) Text("(");
        Expression(*expr.operand(0));
        if (is_literal) Text(")");
        return;
      }
      case ExprKind::kBinary:
        return Infix(expr, core::Name(expr.binary_op()));
      case ExprKind::kLogicalAnd:
        return Infix(expr, "&&");
      case ExprKind::kLogicalOr:
        return Infix(expr, "||");
      case ExprKind::kConstruct:
        Type(expr.type);
        return Arguments(expr);
      case ExprKind::kConvert:
      case ExprKind::kBitcast:
        Text(expr.Is(ExprKind::kConvert) ? "convert<" : "bitcast<");
        Type(expr.type);
        Text(">");
        return Arguments(expr);
      case ExprKind::kBuiltin:
        return Builtin(expr);
      case ExprKind::kCall:
        Write("%", names_.Of(*expr.callee()));
        return Arguments(expr);
    }
  }

  const Module& module_;
  NameMap names_;
  Arena scratch_;
  std::string out_;
  int indent_ = 0;
};

}  // namespace

std::string Print(const Module& module) { return Printer(module).Run(); }

}  // namespace kiln::ir
