// SPDX-License-Identifier: Apache-2.0
// The uniformity analysis of one function after the other at one scope; private to wgsl/validate.
// uniformity_expr.cc and uniformity_stmt.cc walk the function and build the graph, uniformity_report.cc explores it.
#pragma once

#include <unordered_set>

#include "wgsl/validate/context.h"
#include "wgsl/validate/uniformity_graph.h"
#include "wgsl/validate/uniformity_values.h"

namespace kiln::wgsl::validate {

/// https://www.w3.org/TR/WGSL/#uniformity-scope. Draw scope is workgroup scope in other stages.
enum class UniformityScope : uint8_t { kWorkgroup, kSubgroup };

inline bool IsCollective(core::EffectSet effects, UniformityScope scope) {
  if (scope == UniformityScope::kSubgroup) return effects.Has(core::Effect::kSubgroup);
  return effects.Has(core::Effect::kBarrier) || effects.Has(core::Effect::kDerivative) ||
         effects.Has(core::Effect::kUniformPointer);
}

class UniformityAnalysis {
 public:
  UniformityAnalysis(Context& context, UniformityScope scope)
      : context_(context), scope_(scope), summaries_(context.module.functions.size()), values_(graph_) {
    ReadGlobalFilters();
  }

  /// Its callees have been analysed.
  void Analyze(const resolve::FunctionInfo& info);

 private:
  using Kind = UniformityGraph::Kind;

  /// Severities in rising order; kOff is no requirement.
  enum Severity : uint8_t { kOff, kInfo, kWarning, kError };

  /// Something that must be uniform: where, and why. Those of callees live on in the summaries of callers.
  struct Requirement {
    Severity severity = kOff;
    /// The call of the built-in function that asks for it.
    const ast::Call* trigger = nullptr;
    /// The argument of `trigger` that must be uniform; null: its control flow.
    const ast::Expr* trigger_arg = nullptr;
    /// The call in the function of the summary's owner; `trigger` itself, or one that leads to it.
    const ast::Call* call = nullptr;
    /// The requirement of the function that `call` calls; null for the trigger itself.
    const Requirement* inner = nullptr;
  };

  struct ParamSummary {
    const Requirement* value = nullptr;     // ParameterRequiredToBeUniform
    const Requirement* contents = nullptr;  // ParameterContentsRequiredToBeUniform
    bool is_returned = false;               // ParameterReturnContentsRequiredToBeUniform
    bool is_returned_contents = false;
    // Of pointers into the address space `function`.
    bool is_written = false;
    bool may_be_non_uniform = false;  // PointerParameterMayBeNonUniform
    std::vector<uint32_t> from_values;
    std::vector<uint32_t> from_contents;
  };

  struct Summary {
    const Requirement* call_site = nullptr;  // CallSiteRequiredToBeUniform
    bool returns_non_uniform = false;        // ReturnValueMayBeNonUniform
    std::vector<ParamSummary> params;
  };

  /// A place in memory as an expression names it, after the desugaring of pointers.
  struct View {
    const ast::Variable* root = nullptr;  // a var, or a parameter of pointer type
    NodeId indices = 0;                   // what was indexed with; 0: nothing that matters
    bool is_full = true;                  // all of the variable
  };

  // ------------------------------------------------------------------------------------------ uniformity_expr.cc
  NodeId Value(const ast::Expr* expr, NodeId flow);
  NodeId IdentValue(const ast::Ident* ident, NodeId flow);
  NodeId Load(const ast::Expr* expr, NodeId flow);
  NodeId CallValue(const ast::Call* call, NodeId flow);
  NodeId BuiltinCall(const ast::Call* call, NodeId flow);
  NodeId UserCall(const ast::Call* call, NodeId flow);
  NodeId ArgumentsValue(const ast::Call* call, NodeId flow);
  View ViewOf(const ast::Expr* expr, NodeId flow);
  NodeId AddressValue(const View& view, NodeId flow);
  NodeId Contents(const View& view, NodeId flow, const ast::Expr* where);
  /// A node that needs both; both were made under `flow`, so that `flow` itself adds nothing.
  NodeId Both(NodeId a, NodeId b, NodeId flow);
  /// A value that was made elsewhere, used under `flow`.
  NodeId Under(NodeId value, NodeId flow);
  NodeId Source(const ast::Node* where);
  /// Control flow that depends on a value.
  NodeId Condition(const ast::Expr* condition, NodeId value, NodeId flow);
  void Require(NodeId node, Requirement requirement);
  static bool IsFunctionPointer(const core::Type* type);
  bool IsLocal(const ast::Variable* root) const;

  // ------------------------------------------------------------------------------------------ uniformity_stmt.cc
  NodeId Statement(const ast::Stmt* stmt, NodeId flow);
  NodeId Statements(const ast::Block* block, NodeId flow);
  NodeId IfStatement(const ast::If* stmt, NodeId flow);
  NodeId SwitchStatement(const ast::Switch* stmt, NodeId flow);
  /// Any loop: `condition` and `update` of a for or while, `continuing` of a loop; all may be null.
  NodeId LoopStatement(const ast::Block* body, const ast::Expr* condition, const ast::Stmt* update,
                       const ast::Block* continuing, NodeId flow);
  /// `reads`: the old value is part of the new one.
  void Assign(const ast::Expr* lhs, NodeId value, bool reads, NodeId flow);
  void DeclareLocal(const ast::Variable* variable, NodeId flow);
  void NoteReturn();
  void DeclareParams();

  /// The severity of each rule here.
  struct Filters {
    Severity derivative = kError;
    Severity subgroup = kError;
  };
  static void Apply(const ast::DiagnosticControl& control, Filters& filters);
  void ReadGlobalFilters();
  /// Applies the attributes until it dies.
  class FilterScope {
   public:
    FilterScope(UniformityAnalysis& analysis, const ast::Attributes& attributes)
        : analysis_(analysis), before_(analysis.filters_) {
      for (const ast::Attribute* attribute : attributes) {
        if (attribute->control != nullptr) Apply(*attribute->control, analysis.filters_);
      }
    }
    ~FilterScope() { analysis_.filters_ = before_; }
    FilterScope(const FilterScope&) = delete;
    FilterScope& operator=(const FilterScope&) = delete;

   private:
    UniformityAnalysis& analysis_;
    const Filters before_;
  };

  // ---------------------------------------------------------------------------------------- uniformity_report.cc
  void Explore();
  void ExploreRequirements(Severity severity);
  void ExploreReturn();
  void Report(Severity severity);
  void ReportOne(NodeId node, const Requirement& requirement, const std::vector<NodeId>& ways);
  void NoteSource(diag::Sink::Builder& error, const ast::Node* source);
  /// Visits what can be reached from `from` and was not stamped yet.
  template <typename F>
  void Reach(NodeId from, F&& visit);

  Context& context_;
  const UniformityScope scope_;
  std::vector<Summary> summaries_;
  std::unordered_set<const ast::Call*> reported_;

  // Of the function that is being analysed.
  const resolve::FunctionInfo* info_ = nullptr;
  UniformityGraph graph_;
  UniformityValues values_;
  std::vector<NodeId> let_values_;  // by slot
  std::vector<View> let_views_;     // by slot
  std::vector<std::pair<NodeId, const Requirement*>> requirements_;
  Filters filters_;
  std::vector<bool> is_visited_;
  std::vector<NodeId> queue_;
};

}  // namespace kiln::wgsl::validate
