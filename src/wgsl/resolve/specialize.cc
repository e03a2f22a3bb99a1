// SPDX-License-Identifier: Apache-2.0
// Pipeline creation. The tree keeps the types and overloads that Resolve found; here the override-expressions among
// them get their values, from the leaves up, and what is partly known is checked again.
#include "wgsl/resolve/specialize.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/edit_distance.h"
#include "core/eval.h"
#include "core/layout.h"
#include "wgsl/resolve/override_values.h"
#include "wgsl/resolve/resolver.h"

namespace kiln::wgsl::resolve {

namespace {

constexpr size_t kMostNamed = 12;  // entry points that a hint lists

class Specializer {
 public:
  Specializer(ModuleInfo& info, const NameTable& names, core::TypeTable& types, Arena& arena, diag::Sink& sink,
              const Pipeline& pipeline)
      : info_(info), names_(names), types_(types), arena_(arena), sink_(sink), pipeline_(pipeline) {}

  Result<FunctionInfo*> Run();

 private:
  Result<FunctionInfo*> FindEntryPoint();
  void EvaluateGlobals(const FunctionInfo& entry);
  void CheckCount(const ast::Variable& variable);
  void CheckWorkgroup(const FunctionInfo& entry);
  uint64_t SizeOf(const Type* type);
  const core::Constant* CountOf(const core::OverrideCount& count);

  void Walk(ast::Stmt* stmt);
  void Evaluate(ast::Expr* expr);
  void EvaluateBinary(ast::Binary* binary);
  void EvaluateCall(ast::Call* call);
  void EvaluateIndex(ast::Index* index);
  void EvaluateCompound(const ast::Assign* stmt);
  void Set(ast::Expr* expr, const core::EvalResult& result);
  std::string_view Text(Name name) const { return names_.Text(name); }

  ModuleInfo& info_;
  const NameTable& names_;
  core::TypeTable& types_;
  Arena& arena_;
  diag::Sink& sink_;
  const Pipeline& pipeline_;
};

Result<FunctionInfo*> Specializer::Run() {
  const size_t errors_before = sink_.error_count();
  auto entry = FindEntryPoint();
  if (!entry) return entry;
  TakeOverrideValues(info_, names_, arena_, sink_, pipeline_);
  EvaluateGlobals(**entry);
  const EntryPointInfo& point = *(*entry)->entry_point;
  for (ast::Expr* size : point.workgroup_size) {
    if (size != nullptr) Evaluate(size);
  }
  if (point.subgroup_size != nullptr) Evaluate(point.subgroup_size);
  for (const FunctionInfo* callee : (*entry)->all_callees) Walk(callee->decl->body);
  Walk((*entry)->decl->body);
  if (sink_.error_count() == errors_before) CheckWorkgroup(**entry);
  if (sink_.error_count() != errors_before) return sink_.FailedBecauseReported();
  return entry;
}

Result<FunctionInfo*> Specializer::FindEntryPoint() {
  if (pipeline_.entry_point.empty()) {
    if (info_.entry_points.size() == 1) return info_.entry_points.front();
    return sink_.Error(info_.module->range, "no-entry-point")
           << "the module has " << info_.entry_points.size() << " entry points; the pipeline must name one";
  }
  for (FunctionInfo* entry : info_.entry_points) {
    if (Text(entry->decl->name) == pipeline_.entry_point) return entry;
  }
  std::vector<std::string_view> names;
  for (const FunctionInfo* entry : info_.entry_points) names.push_back(Text(entry->decl->name));
  auto error = sink_.Error(info_.module->range, "no-entry-point");
  error << "the module has no entry point '" << pipeline_.entry_point << "'";
  if (const std::string_view near = NearestName(pipeline_.entry_point, names); !near.empty()) {
    error.Hint("did you mean '" + std::string(near) + "'?");
  } else if (!names.empty()) {
    std::string all;
    for (size_t i = 0; i < names.size() && i < kMostNamed; ++i) {
      all += (i == 0 ? "'" : ", '") + std::string(names[i]) + "'";
    }
    error.Hint("it has " + all + (names.size() > kMostNamed ? ", ..." : ""));
  }
  return error;
}

void Specializer::EvaluateGlobals(const FunctionInfo& entry) {
  std::vector<bool> is_used;
  for (const ast::Variable* variable : entry.all_globals) {
    if (variable->index >= is_used.size()) is_used.resize(variable->index + 1);
    is_used[variable->index] = true;
  }
  for (ast::Variable* variable : info_.globals) {  // what is mentioned stands before what mentions it
    if (variable->index >= is_used.size() || !is_used[variable->index]) continue;
    if (variable->variable_kind == ast::VariableKind::kOverride) {
      if (InfoOf(*variable)->is_given) continue;
      if (variable->initializer == nullptr) {
        sink_.Error(variable->name_range, "no-override-value")
                .Hint("it is named by '" + OverrideKey(*variable, names_) + "'")
            << "the override '" << Text(variable->name) << "' has no default, so the pipeline must give its value";
        continue;
      }
      Evaluate(variable->initializer);
      variable->value = variable->initializer->value;
    } else if (variable->variable_kind == ast::VariableKind::kVar) {
      if (variable->initializer != nullptr) Evaluate(variable->initializer);
      CheckCount(*variable);
    }
  }
}

const core::Constant* Specializer::CountOf(const core::OverrideCount& count) {
  auto* expr = static_cast<ast::Expr*>(const_cast<void*>(count.owner));
  Evaluate(expr);
  return expr->value;
}

// https://www.w3.org/TR/WGSL/#array-types, https://www.w3.org/TR/WGSL/#buffer-types
void Specializer::CheckCount(const ast::Variable& variable) {
  const auto* array = variable.type->As<core::ArrayType>();
  const auto* buffer = variable.type->As<core::BufferType>();
  const core::OverrideCount* count = array != nullptr    ? array->override_count
                                     : buffer != nullptr ? buffer->override_bytes
                                                         : nullptr;
  if (count == nullptr) return;
  const core::Constant* value = CountOf(*count);
  if (value == nullptr) return;
  const auto* expr = static_cast<const ast::Expr*>(count->owner);
  if (value->i() <= 0) {
    sink_.Error(expr->range, "bad-element-count")
        << (array != nullptr ? "the element count of an array" : "the size of a buffer")
        << " must be greater than zero, not " << value->i();
    return;
  }
  const int64_t unit = info_.extensions.Has(core::Extension::kF16) ? 2 : 4;
  if (buffer != nullptr && value->i() % unit != 0) {
    sink_.Error(expr->range, "bad-buffer-size")
        << "the size of a buffer must be a multiple of " << unit << ", not " << value->i();
  }
}

uint64_t Specializer::SizeOf(const Type* type) {
  if (const auto* array = type->As<core::ArrayType>(); array != nullptr && array->is_override_sized()) {
    const core::Constant* count = CountOf(*array->override_count);
    return count == nullptr ? 0 : core::ArrayStride(array->element) * count->u32();
  }
  if (const auto* buffer = type->As<core::BufferType>()) {
    if (buffer->override_bytes == nullptr) return buffer->bytes;
    const core::Constant* count = CountOf(*buffer->override_bytes);
    return count == nullptr ? 0 : count->u32();
  }
  return type->size;
}

// https://www.w3.org/TR/WGSL/#workgroup-size-attr, https://www.w3.org/TR/webgpu/#limits
void Specializer::CheckWorkgroup(const FunctionInfo& entry) {
  const EntryPointInfo& point = *entry.entry_point;
  if (point.stage == core::Stage::kCompute) {
    uint64_t total = 1;
    for (int i = 0; i < 3; ++i) {
      const ast::Expr* expr = point.workgroup_size[i];
      if (expr == nullptr || expr->value == nullptr) continue;
      const int64_t size = expr->value->i();
      if (size < 1 || size > pipeline_.limits.workgroup_size[i]) {
        sink_.Error(expr->range, "bad-workgroup-size")
            << "the workgroup size must be from 1 to " << pipeline_.limits.workgroup_size[i] << ", not " << size;
        return;
      }
      total *= static_cast<uint64_t>(size);
    }
    if (total > pipeline_.limits.workgroup_invocations) {
      sink_.Error(entry.decl->name_range, "bad-workgroup-size")
          << "a workgroup of " << total << " invocations is too large; at most "
          << pipeline_.limits.workgroup_invocations << " are possible";
    }
    if (point.subgroup_size != nullptr && point.subgroup_size->value != nullptr) {
      const int64_t size = point.subgroup_size->value->i();
      const ast::Expr* x = point.workgroup_size[0];
      if (size < pipeline_.limits.subgroup_min_size || size > pipeline_.limits.subgroup_max_size ||
          (size & (size - 1)) != 0) {
        sink_.Error(point.subgroup_size->range, "bad-subgroup-size")
            << "the subgroup size must be a power of two from " << pipeline_.limits.subgroup_min_size << " to "
            << pipeline_.limits.subgroup_max_size << ", not " << size;
      } else if (x != nullptr && x->value != nullptr && x->value->i() % size != 0) {
        sink_.Error(point.subgroup_size->range, "bad-subgroup-size")
            << "the workgroup size " << x->value->i() << " is no multiple of the subgroup size " << size;
      }
    }
  }
  uint64_t storage = 0;
  for (const ast::Variable* variable : entry.all_globals) {
    const VariableInfo* info = InfoOf(*variable);
    if (variable->variable_kind != ast::VariableKind::kVar || info->space != core::AddressSpace::kWorkgroup) continue;
    storage += core::RoundUp(16, SizeOf(variable->type));
  }
  if (storage > pipeline_.limits.workgroup_storage_bytes) {
    sink_.Error(entry.decl->name_range, "too-much-workgroup-memory")
        << "the entry point uses " << storage << " bytes of workgroup memory; at most "
        << pipeline_.limits.workgroup_storage_bytes << " are possible";
  }
}

// ------------------------------------------------------------------------------------------------------ statements

void Specializer::Walk(ast::Stmt* stmt) {
  if (stmt == nullptr) return;
  switch (stmt->kind) {
    case ast::Kind::kBlock:
      for (ast::Stmt* inner : static_cast<ast::Block*>(stmt)->statements) Walk(inner);
      return;
    case ast::Kind::kDeclStmt: {
      ast::Variable* variable = static_cast<ast::DeclStmt*>(stmt)->variable;
      if (variable->variable_kind != ast::VariableKind::kConst && variable->initializer != nullptr) {
        Evaluate(variable->initializer);
      }
      return;
    }
    case ast::Kind::kAssign: {
      auto* assign = static_cast<ast::Assign*>(stmt);
      if (assign->lhs != nullptr) Evaluate(assign->lhs);
      Evaluate(assign->rhs);
      EvaluateCompound(assign);
      return;
    }
    case ast::Kind::kIncrement:
      return Evaluate(static_cast<ast::Increment*>(stmt)->lhs);
    case ast::Kind::kCallStmt:
      return Evaluate(static_cast<ast::CallStmt*>(stmt)->call);
    case ast::Kind::kIf: {
      auto* branch = static_cast<ast::If*>(stmt);
      for (const ast::IfArm& arm : branch->arms) {
        Evaluate(arm.condition);
        Walk(arm.body);
      }
      return Walk(branch->else_body);
    }
    case ast::Kind::kSwitch: {
      auto* choice = static_cast<ast::Switch*>(stmt);
      Evaluate(choice->condition);
      for (ast::Case* clause : choice->cases) Walk(clause->body);
      return;
    }
    case ast::Kind::kLoop:
      Walk(static_cast<ast::Loop*>(stmt)->body);
      return Walk(static_cast<ast::Loop*>(stmt)->continuing);
    case ast::Kind::kFor: {
      auto* loop = static_cast<ast::For*>(stmt);
      Walk(loop->init);
      if (loop->condition != nullptr) Evaluate(loop->condition);
      Walk(loop->update);
      return Walk(loop->body);
    }
    case ast::Kind::kWhile:
      Evaluate(static_cast<ast::While*>(stmt)->condition);
      return Walk(static_cast<ast::While*>(stmt)->body);
    case ast::Kind::kBreakIf:
      return Evaluate(static_cast<ast::BreakIf*>(stmt)->condition);
    case ast::Kind::kReturn:
      if (auto* value = static_cast<ast::Return*>(stmt)->value) Evaluate(value);
      return;
    default:
      return;
  }
}

void Specializer::EvaluateCompound(const ast::Assign* stmt) {
  if (stmt->lhs == nullptr || stmt->op == ast::BinaryOp::kNone || stmt->rhs->value == nullptr) return;
  core::CallTarget target;
  const core::BinaryOp op = ToCore(stmt->op);
  if (!core::MatchBinary(types_, op, core::Unreferenced(stmt->lhs->type), stmt->rhs->type, false, target)) return;
  const core::Constant* operands[] = {nullptr, stmt->rhs->value};
  if (const std::string problem = core::CheckPartial(target, operands); !problem.empty()) {
    sink_.Error(stmt->range, "evaluation-failed") << problem;
  }
}

// ----------------------------------------------------------------------------------------------------- expressions

void Specializer::Set(ast::Expr* expr, const core::EvalResult& result) {
  if (result)
    expr->value = result.value;
  else
    sink_.Error(expr->range, "evaluation-failed") << result.error;
}

void Specializer::Evaluate(ast::Expr* expr) {
  if (expr->value != nullptr || expr->phase <= ast::Phase::kConst) return;
  switch (expr->kind) {
    case ast::Kind::kIdent:
      if (const ast::Variable* variable = VariableOf(*expr);
          variable != nullptr && variable->variable_kind == ast::VariableKind::kOverride) {
        expr->value = variable->value;
      }
      return;
    case ast::Kind::kUnary: {
      auto* unary = static_cast<ast::Unary*>(expr);
      Evaluate(unary->operand);
      if (expr->phase != ast::Phase::kOverride || unary->operand->value == nullptr) return;
      core::CallTarget target;
      if (!core::MatchUnary(types_, ToCore(unary->op), unary->operand->type, false, target)) return;
      return Set(expr, core::EvalUnary(types_, target, unary->operand->value));
    }
    case ast::Kind::kBinary:
      return EvaluateBinary(static_cast<ast::Binary*>(expr));
    case ast::Kind::kIndex:
      return EvaluateIndex(static_cast<ast::Index*>(expr));
    case ast::Kind::kMember: {
      auto* member = static_cast<ast::Member*>(expr);
      Evaluate(member->object);
      const core::Constant* object = member->object->value;
      if (object == nullptr) return;
      if (member->swizzle_size == 0) {
        member->value = core::EvalMember(types_, object, member->index);
        return;
      }
      std::array<uint8_t, 4> lanes{};
      for (uint32_t i = 0; i < member->swizzle_size; ++i) lanes[i] = static_cast<uint8_t>(member->index >> (2 * i) & 3);
      member->value = core::EvalSwizzle(types_, object, std::span<const uint8_t>(lanes.data(), member->swizzle_size));
      return;
    }
    case ast::Kind::kCall:
      return EvaluateCall(static_cast<ast::Call*>(expr));
    default:
      return;
  }
}

void Specializer::EvaluateBinary(ast::Binary* binary) {
  Evaluate(binary->lhs);
  const core::Constant* left = binary->lhs->value;
  if (binary->op == ast::BinaryOp::kLogicalAnd || binary->op == ast::BinaryOp::kLogicalOr) {
    const bool deciding = binary->op == ast::BinaryOp::kLogicalOr;
    const bool is_decided = left != nullptr && left->b() == deciding;
    if (!is_decided) Evaluate(binary->rhs);
    if (binary->phase != ast::Phase::kOverride || left == nullptr) return;
    binary->value = is_decided ? left : binary->rhs->value;
    return;
  }
  Evaluate(binary->rhs);
  const core::Constant* right = binary->rhs->value;
  if (left == nullptr && right == nullptr) return;
  core::CallTarget target;
  const Type* left_type = core::Unreferenced(binary->lhs->type);
  const Type* right_type = core::Unreferenced(binary->rhs->type);
  if (!core::MatchBinary(types_, ToCore(binary->op), left_type, right_type, false, target)) return;
  if (left != nullptr && right != nullptr) return Set(binary, core::EvalBinary(types_, target, left, right));
  const core::Constant* operands[] = {left, right};
  if (const std::string problem = core::CheckPartial(target, operands); !problem.empty()) {
    sink_.Error(binary->range, "evaluation-failed") << problem;
  }
}

void Specializer::EvaluateIndex(ast::Index* index) {
  Evaluate(index->object);
  Evaluate(index->index);
  const core::Constant* at = index->index->value;
  if (at == nullptr) return;
  const Type* store = index->object->type;
  if (const auto* pointer = store->As<core::PointerType>()) store = pointer->store;
  store = core::Unreferenced(store);
  uint64_t count = core::ElementCountOf(store);
  if (const auto* array = store->As<core::ArrayType>(); array != nullptr && array->is_override_sized()) {
    const core::Constant* known = CountOf(*array->override_count);
    count = known == nullptr ? 0 : known->u32();
  }
  const int64_t value = at->i();
  if (value < 0 || (count != 0 && static_cast<uint64_t>(value) >= count)) {
    auto error = sink_.Error(index->index->range, "index-out-of-range");
    error << "the index " << value << " is out of range";
    if (count != 0) error << ": there are the elements 0 to " << count - 1;
    return;
  }
  if (index->object->value != nullptr) Set(index, core::EvalIndex(types_, index->object->value, value));
}

void Specializer::EvaluateCall(ast::Call* call) {
  bool all_known = true;
  bool any_known = false;
  for (ast::Expr* arg : call->args) {
    Evaluate(arg);
    all_known &= arg->value != nullptr;
    any_known |= arg->value != nullptr;
  }
  const bool is_early = call->phase == ast::Phase::kOverride;
  const core::CallTarget* target = CallTargetOf(*call);
  if (target != nullptr) {
    std::array<const core::Constant*, core::kMaxParams> values{};
    for (size_t i = 0; i < call->args.size(); ++i) values[i] = call->args[i]->value;
    const std::span<const core::Constant* const> known(values.data(), call->args.size());
    if (is_early && all_known) return Set(call, core::EvalCall(types_, *target, known));
    if (!any_known) return;
    if (const std::string problem = core::CheckPartial(*target, known); !problem.empty()) {
      sink_.Error(call->range, "evaluation-failed") << problem;
    }
    return;
  }
  if (!is_early || !all_known || TargetOf(*call) == TargetKind::kFunction) return;
  auto elements = arena_.MakeArray<const core::Constant*>(call->args.size());
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = call->args[i]->value;
  call->value = core::Constant::Composite(arena_, call->type, elements);
}

}  // namespace

Result<FunctionInfo*> Specialize(ModuleInfo& info, const NameTable& names, core::TypeTable& types, Arena& arena,
                                 diag::Sink& sink, const Pipeline& pipeline) {
  return Specializer(info, names, types, arena, sink, pipeline).Run();
}

}  // namespace kiln::wgsl::resolve
