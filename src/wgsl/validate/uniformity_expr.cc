// SPDX-License-Identifier: Apache-2.0
// Uniformity rules for expressions and function calls: https://www.w3.org/TR/WGSL/#uniformity-expressions and
// #uniformity-function-calls. A node that would only say "uniform if control flow is" is the node of control flow.
#include "wgsl/validate/memory_view.h"
#include "wgsl/validate/uniformity.h"

namespace kiln::wgsl::validate {

using resolve::TargetKind;

// ----------------------------------------------------------------------------------------------------------- nodes

NodeId UniformityAnalysis::Both(NodeId a, NodeId b, NodeId flow) {
  if (a == b || b == flow || b == UniformityGraph::kNone) return a;
  if (a == flow || a == UniformityGraph::kNone) return b;
  const NodeId node = graph_.Add();
  graph_.Connect(node, a);
  graph_.Connect(node, b);
  return node;
}

NodeId UniformityAnalysis::Under(NodeId value, NodeId flow) {
  // All control flow depends on that at the start.
  if (value == flow || value == UniformityGraph::kStart) return flow;
  const NodeId node = graph_.Add();
  graph_.Connect(node, flow);
  graph_.Connect(node, value);
  return node;
}

NodeId UniformityAnalysis::Source(const ast::Node* where) {
  const NodeId node = graph_.Add(Kind::kSource, where);
  graph_.Connect(node, UniformityGraph::kMayBeNonUniform);
  return node;
}

NodeId UniformityAnalysis::Condition(const ast::Expr* condition, NodeId value, NodeId flow) {
  if (value == flow) return flow;
  const NodeId node = graph_.Add(Kind::kCondition, condition);
  graph_.Connect(node, value);
  return node;
}

void UniformityAnalysis::Require(NodeId node, Requirement requirement) {
  if (requirement.severity == kOff) return;
  requirements_.emplace_back(node, context_.arena.Make<Requirement>(requirement));
}

// ------------------------------------------------------------------------------------------------------------ views

namespace {

/// Each component of the vector, which is assigned to: then no component is named twice.
bool IsSwizzleOfAll(const ast::Member* swizzle) {
  const core::Type* object = core::Unreferenced(swizzle->object->type);
  if (const auto* pointer = object->As<core::PointerType>()) object = pointer->store;
  const auto* vector = object->As<core::VecType>();
  return vector != nullptr && vector->width == swizzle->swizzle_size;
}

}  // namespace

bool UniformityAnalysis::IsFunctionPointer(const core::Type* type) {
  const auto* pointer = type != nullptr ? type->As<core::PointerType>() : nullptr;
  return pointer != nullptr && pointer->space == core::AddressSpace::kFunction;
}

/// Whether the analysis follows what is stored in the variable.
bool UniformityAnalysis::IsLocal(const ast::Variable* root) const {
  if (root->variable_kind == ast::VariableKind::kParam) return IsFunctionPointer(root->type);
  return !root->is_global && root->variable_kind == ast::VariableKind::kVar;
}

UniformityAnalysis::View UniformityAnalysis::ViewOf(const ast::Expr* expr, NodeId flow) {
  switch (expr->kind) {
    case ast::Kind::kIdent: {
      const ast::Variable* variable = resolve::VariableOf(*expr);
      KILN_CHECK(variable != nullptr);
      if (variable->variable_kind == ast::VariableKind::kLet) return let_views_[variable->slot];
      return {variable, 0, true};
    }
    case ast::Kind::kUnary:
      return ViewOf(static_cast<const ast::Unary*>(expr)->operand, flow);
    case ast::Kind::kMember: {
      const auto* e = static_cast<const ast::Member*>(expr);
      View view = ViewOf(e->object, flow);
      // A swizzle of all components is the whole vector.
      view.is_full = view.is_full && e->swizzle_size >= 2 && IsSwizzleOfAll(e);
      return view;
    }
    case ast::Kind::kIndex: {
      const auto* e = static_cast<const ast::Index*>(expr);
      View view = ViewOf(e->object, flow);
      view.indices = Both(view.indices, Value(e->index, flow), flow);
      view.is_full = false;
      return view;
    }
    case ast::Kind::kCall: {  // bufferView, bufferArrayView
      const auto* call = static_cast<const ast::Call*>(expr);
      View view = ViewOf(call->args.front(), flow);
      for (size_t i = 1; i < call->args.size(); ++i) {
        view.indices = Both(view.indices, Value(call->args[i], flow), flow);
      }
      view.is_full = false;
      return view;
    }
    default:
      KILN_UNREACHABLE("a memory view of another form");
  }
}

/// The value of a pointer, as against what it points to.
NodeId UniformityAnalysis::AddressValue(const View& view, NodeId flow) {
  NodeId value = flow;
  if (view.root->variable_kind == ast::VariableKind::kParam && IsFunctionPointer(view.root->type)) {
    value = graph_.Param(view.root->slot - 1);
  }
  return Both(value, view.indices, flow);
}

NodeId UniformityAnalysis::Contents(const View& view, NodeId flow, const ast::Expr* where) {
  const ast::Variable* root = view.root;
  if (IsLocal(root)) return Both(Under(values_.Read(root->slot), flow), view.indices, flow);
  bool can_change = false;
  if (root->variable_kind == ast::VariableKind::kParam) {
    can_change = core::CanWrite(root->type->To<core::PointerType>().access);
  } else {
    const resolve::VariableInfo* info = resolve::InfoOf(*root);
    can_change = info->space != core::AddressSpace::kHandle && core::CanWrite(info->access);
  }
  if (can_change) return Source(where);
  return Both(flow, view.indices, flow);
}

// ------------------------------------------------------------------------------------------------------ expressions

NodeId UniformityAnalysis::Load(const ast::Expr* expr, NodeId flow) { return Contents(ViewOf(expr, flow), flow, expr); }

NodeId UniformityAnalysis::Value(const ast::Expr* expr, NodeId flow) {
  if (expr->value != nullptr) return flow;
  if (expr->type != nullptr && expr->type->Is(core::TypeKind::kReference)) return Load(expr, flow);
  switch (expr->kind) {
    case ast::Kind::kIdent:
      return IdentValue(static_cast<const ast::Ident*>(expr), flow);
    case ast::Kind::kCall:
      return CallValue(static_cast<const ast::Call*>(expr), flow);
    case ast::Kind::kUnary: {
      const auto* e = static_cast<const ast::Unary*>(expr);
      if (e->op == ast::UnaryOp::kAddressOf) return AddressValue(ViewOf(e->operand, flow), flow);
      return Value(e->operand, flow);
    }
    case ast::Kind::kBinary: {
      const auto* e = static_cast<const ast::Binary*>(expr);
      const NodeId lhs = Value(e->lhs, flow);
      if (e->op == ast::BinaryOp::kLogicalAnd || e->op == ast::BinaryOp::kLogicalOr) {
        // What is on the right is evaluated only if the left says so.
        return Value(e->rhs, Condition(e->lhs, lhs, flow));
      }
      return Both(lhs, Value(e->rhs, flow), flow);
    }
    case ast::Kind::kIndex: {
      const auto* e = static_cast<const ast::Index*>(expr);
      return Both(Value(e->object, flow), Value(e->index, flow), flow);
    }
    case ast::Kind::kMember:
      return Value(static_cast<const ast::Member*>(expr)->object, flow);
    default:
      return flow;
  }
}

NodeId UniformityAnalysis::IdentValue(const ast::Ident* ident, NodeId flow) {
  const ast::Variable* variable = resolve::VariableOf(*ident);
  if (variable == nullptr) return flow;
  switch (variable->variable_kind) {
    case ast::VariableKind::kLet:
      if (variable->type->Is(core::TypeKind::kPointer)) return AddressValue(let_views_[variable->slot], flow);
      return Under(let_values_[variable->slot], flow);
    case ast::VariableKind::kParam:
      if (variable->type->Is(core::TypeKind::kPointer)) return AddressValue({variable, 0, true}, flow);
      return Under(let_values_[variable->slot], flow);
    default:
      return flow;
  }
}

// ------------------------------------------------------------------------------------------------------------ calls

NodeId UniformityAnalysis::CallValue(const ast::Call* call, NodeId flow) {
  switch (resolve::TargetOf(*call)) {
    case TargetKind::kFunction:
      return UserCall(call, flow);
    case TargetKind::kBuiltin:
      return BuiltinCall(call, flow);
    default:
      return ArgumentsValue(call, flow);
  }
}

NodeId UniformityAnalysis::ArgumentsValue(const ast::Call* call, NodeId flow) {
  NodeId result = flow;
  for (const ast::Expr* arg : call->args) result = Both(result, Value(arg, flow), flow);
  return result;
}

NodeId UniformityAnalysis::BuiltinCall(const ast::Call* call, NodeId flow) {
  const core::OverloadFacts& facts = core::Facts(*resolve::CallTargetOf(*call));
  const bool at_subgroup = scope_ == UniformityScope::kSubgroup;
  NodeId result = flow;
  for (size_t i = 0; i < call->args.size(); ++i) {
    const ast::Expr* arg = call->args[i];
    const NodeId value = Value(arg, flow);
    result = Both(result, value, flow);
    if (facts.effects.is_empty() || i >= facts.params.size()) continue;
    if (!at_subgroup && facts.effects.Has(core::Effect::kUniformPointer) && i == 0) {
      Require(value, {kError, call, arg, call, nullptr});
    }
    const core::ParamUsage usage = facts.params[i].usage;
    if (at_subgroup && facts.effects.Has(core::Effect::kSubgroup) &&
        (usage == core::ParamUsage::kDelta || usage == core::ParamUsage::kMask)) {
      Require(value, {filters_.subgroup, call, arg, call, nullptr});
    }
  }
  if (facts.effects.is_empty()) return result;
  if (IsCollective(facts.effects, scope_)) {
    Severity severity = kError;
    if (facts.effects.Has(core::Effect::kDerivative)) severity = filters_.derivative;
    if (at_subgroup) severity = filters_.subgroup;
    Require(flow, {severity, call, nullptr, call, nullptr});
  }
  if (facts.effects.Has(core::Effect::kNonUniformResult) &&
      !(at_subgroup && facts.effects.Has(core::Effect::kSubgroupUniformResult))) {
    return Source(call);
  }
  return result;
}

NodeId UniformityAnalysis::UserCall(const ast::Call* call, NodeId flow) {
  const resolve::FunctionInfo* callee = resolve::InfoOf(*resolve::CalleeOf(*call));
  const Summary& summary = summaries_[callee->index];
  struct Argument {
    NodeId value = 0;
    NodeId contents = 0;  // of a pointer to a local variable
    View view;
  };
  std::vector<Argument> args(call->args.size());
  for (size_t i = 0; i < args.size(); ++i) {
    if (!IsFunctionPointer(callee->decl->params[i]->type)) {
      args[i].value = Value(call->args[i], flow);
      continue;
    }
    args[i].view = ViewOf(call->args[i], flow);
    args[i].value = AddressValue(args[i].view, flow);
    args[i].contents = Contents(args[i].view, flow, call->args[i]);
  }

  const auto pass_on = [&](NodeId node, const Requirement* inner) {
    if (inner != nullptr) Require(node, {inner->severity, inner->trigger, inner->trigger_arg, call, inner});
  };
  pass_on(flow, summary.call_site);
  NodeId result = flow;
  for (size_t i = 0; i < args.size(); ++i) {
    const ParamSummary& param = summary.params[i];
    pass_on(args[i].value, param.value);
    if (args[i].contents != 0) pass_on(args[i].contents, param.contents);
    if (param.is_returned) result = Both(result, args[i].value, flow);
    if (param.is_returned_contents && args[i].contents != 0) result = Both(result, args[i].contents, flow);
  }
  if (summary.returns_non_uniform) result = Source(call);

  for (size_t i = 0; i < args.size(); ++i) {
    const ParamSummary& param = summary.params[i];
    if (args[i].contents == 0 || !param.is_written || !IsLocal(args[i].view.root)) continue;
    NodeId value = flow;
    if (param.may_be_non_uniform) {
      value = Source(call);
    } else {
      for (const uint32_t from : param.from_values) value = Both(value, args[from].value, flow);
      for (const uint32_t from : param.from_contents) value = Both(value, args[from].contents, flow);
      value = Both(value, args[i].view.indices, flow);
      if (!args[i].view.is_full) value = Both(value, Under(values_.Read(args[i].view.root->slot), flow), flow);
    }
    values_.Write(args[i].view.root->slot, value);
  }
  return result;
}

}  // namespace kiln::wgsl::validate
