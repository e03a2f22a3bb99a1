// SPDX-License-Identifier: Apache-2.0
// Uniformity rules for statements: https://www.w3.org/TR/WGSL/#uniformity-statements. Each function gives the node of
// control flow at the end of the statement.
#include "wgsl/syntax/words.h"
#include "wgsl/validate/behavior.h"
#include "wgsl/validate/memory_view.h"
#include "wgsl/validate/uniformity.h"

namespace kiln::wgsl::validate {

// ---------------------------------------------------------------------------------------------------------- filters

void UniformityAnalysis::Apply(const ast::DiagnosticControl& control, Filters& filters) {
  if (control.rule_first) return;
  Severity severity = kError;
  switch (ToWord(control.severity)) {
    case Word::kWarning:
      severity = kWarning;
      break;
    case Word::kInfo:
      severity = kInfo;
      break;
    case Word::kOff:
      severity = kOff;
      break;
    default:
      break;
  }
  if (ToWord(control.rule) == Word::kDerivativeUniformity) filters.derivative = severity;
  if (ToWord(control.rule) == Word::kSubgroupUniformity) filters.subgroup = severity;
}

void UniformityAnalysis::ReadGlobalFilters() {
  for (const ast::Node* directive : context_.module.module->directives) {
    if (const auto* d = directive->TryAs<ast::DiagnosticDirective>()) Apply(d->control, filters_);
  }
}

// --------------------------------------------------------------------------------------------------------- functions

void UniformityAnalysis::Analyze(const resolve::FunctionInfo& info) {
  info_ = &info;
  const ast::Function* function = info.decl;
  graph_.Reset(static_cast<uint32_t>(function->params.size()));
  const uint32_t slots = context_.facts[info.index].slots;
  values_.Reset(slots);
  let_values_.assign(slots, 0);
  let_views_.assign(slots, {});
  requirements_.clear();
  DeclareParams();
  const FilterScope filters(*this, function->attributes);
  Statement(function->body, UniformityGraph::kStart);
  if ((function->body->behavior & kNext) != 0) NoteReturn();
  Explore();
}

namespace {

/// https://www.w3.org/TR/WGSL/#uniformity-expressions, the built-in inputs that are considered uniform.
bool IsUniform(const core::IoAttributes& io, core::Stage stage, UniformityScope scope) {
  if (!io.builtin) return false;
  switch (*io.builtin) {
    case core::BuiltinValue::kWorkgroupId:
    case core::BuiltinValue::kNumWorkgroups:
    case core::BuiltinValue::kNumSubgroups:
      return true;
    case core::BuiltinValue::kSubgroupSize:
      return stage == core::Stage::kCompute;
    case core::BuiltinValue::kSubgroupId:
      return scope == UniformityScope::kSubgroup;
    default:
      return false;
  }
}

bool IsUniformInput(const ast::Variable* param, core::Stage stage, UniformityScope scope) {
  if (const auto* type = param->type->As<core::StructType>()) {
    for (const core::StructMember& member : type->members) {
      if (!IsUniform(member.io, stage, scope)) return false;
    }
    return true;
  }
  const resolve::ParamInfo* info = resolve::ParamInfoOf(*param);
  return info != nullptr && IsUniform(info->io, stage, scope);
}

}  // namespace

void UniformityAnalysis::DeclareParams() {
  for (const ast::Variable* param : info_->decl->params) {
    const uint32_t index = param->slot - 1;
    if (IsFunctionPointer(param->type)) {
      values_.Declare(param->slot, graph_.ParamContents(index));
      continue;
    }
    NodeId value = graph_.Param(index);
    if (info_->entry_point != nullptr) {
      if (IsUniformInput(param, info_->entry_point->stage, scope_)) {
        value = UniformityGraph::kStart;
      } else {
        graph_.Describe(value, Kind::kSource, param);
        graph_.Connect(value, UniformityGraph::kMayBeNonUniform);
      }
    }
    let_values_[param->slot] = value;
  }
}

/// What the pointer parameters point to when the function returns.
void UniformityAnalysis::NoteReturn() {
  for (const ast::Variable* param : info_->decl->params) {
    if (!IsFunctionPointer(param->type)) continue;
    graph_.Connect(graph_.ReturnContents(param->slot - 1), values_.Read(param->slot));
  }
}

// --------------------------------------------------------------------------------------------------------- statements

NodeId UniformityAnalysis::Statements(const ast::Block* block, NodeId flow) {
  for (const ast::Stmt* stmt : block->statements) {
    flow = Statement(stmt, flow);
    if ((stmt->behavior & kNext) == 0) break;  // what follows is never reached
  }
  return flow;
}

NodeId UniformityAnalysis::Statement(const ast::Stmt* stmt, NodeId flow) {
  switch (stmt->kind) {
    case ast::Kind::kBlock: {
      const auto* s = static_cast<const ast::Block*>(stmt);
      const FilterScope filters(*this, s->attributes);
      return Statements(s, flow);
    }
    case ast::Kind::kDeclStmt:
      DeclareLocal(static_cast<const ast::DeclStmt*>(stmt)->variable, flow);
      return flow;
    case ast::Kind::kAssign: {
      const auto* s = static_cast<const ast::Assign*>(stmt);
      if (s->lhs == nullptr) {
        Value(s->rhs, flow);
      } else {
        Assign(s->lhs, Value(s->rhs, flow), s->op != ast::BinaryOp::kNone, flow);
      }
      return flow;
    }
    case ast::Kind::kIncrement:
      Assign(static_cast<const ast::Increment*>(stmt)->lhs, flow, true, flow);
      return flow;
    case ast::Kind::kCallStmt:
      Value(static_cast<const ast::CallStmt*>(stmt)->call, flow);
      return flow;
    case ast::Kind::kIf: {
      const FilterScope filters(*this, static_cast<const ast::If*>(stmt)->attributes);
      return IfStatement(static_cast<const ast::If*>(stmt), flow);
    }
    case ast::Kind::kSwitch: {
      const FilterScope filters(*this, static_cast<const ast::Switch*>(stmt)->attributes);
      return SwitchStatement(static_cast<const ast::Switch*>(stmt), flow);
    }
    case ast::Kind::kLoop: {
      const auto* s = static_cast<const ast::Loop*>(stmt);
      const FilterScope filters(*this, s->attributes);
      const FilterScope body_filters(*this, s->body->attributes);  // continuing is in the body
      return LoopStatement(s->body, nullptr, nullptr, s->continuing, flow);
    }
    case ast::Kind::kFor: {
      const auto* s = static_cast<const ast::For*>(stmt);
      const FilterScope filters(*this, s->attributes);
      if (s->init != nullptr) flow = Statement(s->init, flow);
      return LoopStatement(s->body, s->condition, s->update, nullptr, flow);
    }
    case ast::Kind::kWhile: {
      const auto* s = static_cast<const ast::While*>(stmt);
      const FilterScope filters(*this, s->attributes);
      return LoopStatement(s->body, s->condition, nullptr, nullptr, flow);
    }
    case ast::Kind::kBreak:
      values_.Break();
      return flow;
    case ast::Kind::kBreakIf: {
      const ast::Expr* condition = static_cast<const ast::BreakIf*>(stmt)->condition;
      const NodeId value = Value(condition, flow);
      values_.Break();
      return Condition(condition, value, flow);
    }
    case ast::Kind::kContinue:
      values_.Continue();
      return flow;
    case ast::Kind::kReturn: {
      const ast::Expr* value = static_cast<const ast::Return*>(stmt)->value;
      if (value != nullptr) graph_.Connect(UniformityGraph::kReturn, Value(value, flow));
      NoteReturn();
      return flow;
    }
    default:
      return flow;
  }
}

void UniformityAnalysis::DeclareLocal(const ast::Variable* variable, NodeId flow) {
  switch (variable->variable_kind) {
    case ast::VariableKind::kVar:
      // Without an initialiser it is zero: uniform where control flow is.
      values_.Declare(variable->slot, variable->initializer != nullptr ? Value(variable->initializer, flow) : flow);
      return;
    case ast::VariableKind::kLet:
      if (variable->type->Is(core::TypeKind::kPointer)) {
        let_views_[variable->slot] = ViewOf(variable->initializer, flow);
      } else {
        let_values_[variable->slot] = Value(variable->initializer, flow);
      }
      return;
    default:
      return;
  }
}

void UniformityAnalysis::Assign(const ast::Expr* lhs, NodeId value, bool reads, NodeId flow) {
  const View view = ViewOf(lhs, flow);
  if (!IsLocal(view.root)) return;
  value = Both(value, view.indices, flow);
  if (reads || !view.is_full) value = Both(value, Under(values_.Read(view.root->slot), flow), flow);
  values_.Write(view.root->slot, value);
}

NodeId UniformityAnalysis::IfStatement(const ast::If* stmt, NodeId flow) {
  // An else-if is an if in the else: its condition is evaluated under the conditions before it. The branches are joined
  // all at once, unless a condition writes to variables (by a call with a pointer): what it wrote holds for the rest of
  // the chain, which is then a group of branches inside the else.
  struct Group {
    UniformityValues::Branches branches;
    size_t first_arm;
  };
  std::vector<Group> groups;
  std::vector<NodeId> starts;
  std::vector<NodeId> ends;
  NodeId at = flow;
  for (const ast::IfArm& arm : stmt->arms) {
    const size_t writes_before = values_.pending_writes();
    const NodeId condition = Condition(arm.condition, Value(arm.condition, at), at);
    if (groups.empty() || values_.pending_writes() != writes_before) {
      groups.push_back({values_.BeginBranches(), starts.size()});
    }
    starts.push_back(at);
    ends.push_back(Statement(arm.body, condition));
    values_.EndBranch(groups.back().branches, (arm.body->behavior & kNext) != 0);
    at = condition;
  }
  NodeId end = at;
  uint8_t behavior = kNext;
  if (stmt->else_body != nullptr) {
    end = Statement(stmt->else_body, at);
    behavior = stmt->else_body->behavior;
  }
  // From the innermost if outwards. What diverged has met again where all ways go on.
  size_t group = groups.size() - 1;
  values_.EndBranch(groups[group].branches, (behavior & kNext) != 0);
  for (size_t i = stmt->arms.size(); i-- > 0;) {
    behavior |= stmt->arms[i].body->behavior;
    end = behavior == kNext ? starts[i] : Both(ends[i], end, UniformityGraph::kNone);
    if (groups[group].first_arm != i) continue;
    values_.Join(groups[group].branches);
    if (group == 0) break;
    --group;
    values_.EndBranch(groups[group].branches, (behavior & kNext) != 0);
  }
  return end;
}

NodeId UniformityAnalysis::SwitchStatement(const ast::Switch* stmt, NodeId flow) {
  const NodeId condition = Condition(stmt->condition, Value(stmt->condition, flow), flow);
  const FilterScope filters(*this, stmt->body_attributes);
  values_.BeginSwitch();
  NodeId end = UniformityGraph::kNone;
  for (const ast::Case* clause : stmt->cases) {
    end = Both(end, Statement(clause->body, condition), UniformityGraph::kNone);
    if ((clause->body->behavior & kNext) != 0) values_.Break();
    values_.EndClause();
  }
  values_.EndTarget();
  return stmt->behavior == kNext ? flow : end;
}

NodeId UniformityAnalysis::LoopStatement(const ast::Block* body, const ast::Expr* condition, const ast::Stmt* update,
                                         const ast::Block* continuing, NodeId flow) {
  const uint8_t behavior = body->behavior;
  const bool iterates = (behavior & (kNext | kContinue)) != 0;
  const bool has_continuing = continuing != nullptr || update != nullptr;
  const NodeId start = graph_.Add();
  graph_.Connect(start, flow);
  values_.BeginLoop(continuing != nullptr);
  NodeId at = start;
  if (condition != nullptr) {
    at = Condition(condition, Value(condition, start), start);
    values_.Break();
  }
  const NodeId body_end = Statement(body, at);
  NodeId end = body_end;
  if (iterates) {
    if ((behavior & kNext) != 0) values_.Continue();
    values_.BeginContinuing();
    if (continuing != nullptr) end = Statement(continuing, end);
    if (update != nullptr) end = Statement(update, end);
    values_.Iterate();
    if (end != start) graph_.Connect(start, end);
  }
  values_.EndTarget();
  if ((behavior & kReturn) == 0) return flow;
  return has_continuing && iterates ? start : body_end;
}

}  // namespace kiln::wgsl::validate
