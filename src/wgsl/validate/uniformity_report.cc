// SPDX-License-Identifier: Apache-2.0
// The second phase of the analysis: what can be reached in the graph becomes the summary of the function, or a message.
// https://www.w3.org/TR/WGSL/#uniformity-function
#include "wgsl/validate/memory_view.h"
#include "wgsl/validate/uniformity.h"

namespace kiln::wgsl::validate {

void UniformityAnalysis::Explore() {
  Summary& summary = summaries_[info_->index];
  summary.params.resize(info_->decl->params.size());
  is_visited_.assign(graph_.size(), false);
  for (const Severity severity : {kError, kWarning, kInfo}) ExploreRequirements(severity);
  ExploreReturn();
}

void UniformityAnalysis::ExploreRequirements(Severity severity) {
  Summary& summary = summaries_[info_->index];
  // Which requirement leads to each node at the border of the function; interior nodes are visited once for all
  // severities, the most severe first.
  std::vector<const Requirement*> border(graph_.first_interior());
  struct Visit {
    NodeId node;
    const Requirement* requirement;
  };
  std::vector<Visit> queue;
  const auto visit = [&](NodeId node, const Requirement* requirement) {
    if (node < border.size()) {
      if (border[node] != nullptr) return;
      border[node] = requirement;
    } else {
      if (is_visited_[node]) return;
      is_visited_[node] = true;
    }
    queue.push_back({node, requirement});
  };
  for (const auto& [node, requirement] : requirements_) {
    if (requirement->severity == severity) visit(node, requirement);
  }
  for (size_t at = 0; at < queue.size(); ++at) {
    const Visit from = queue[at];
    graph_.ForEachEdge(from.node, [&](NodeId to) { visit(to, from.requirement); });
  }
  if (border[UniformityGraph::kMayBeNonUniform] != nullptr) return Report(severity);
  if (summary.call_site == nullptr) summary.call_site = border[UniformityGraph::kStart];
  for (uint32_t i = 0; i < summary.params.size(); ++i) {
    ParamSummary& param = summary.params[i];
    if (param.value == nullptr) param.value = border[graph_.Param(i)];
    if (param.contents == nullptr) param.contents = border[graph_.ParamContents(i)];
  }
}

template <typename F>
void UniformityAnalysis::Reach(NodeId from, F&& visit) {
  is_visited_.assign(graph_.size(), false);
  is_visited_[from] = true;
  queue_.assign(1, from);
  for (size_t at = 0; at < queue_.size(); ++at) {
    graph_.ForEachEdge(queue_[at], [&](NodeId to) {
      if (is_visited_[to]) return;
      is_visited_[to] = true;
      queue_.push_back(to);
    });
  }
  for (NodeId node = 1; node < graph_.first_interior(); ++node) {
    if (is_visited_[node] && node != from) visit(node);
  }
}

void UniformityAnalysis::ExploreReturn() {
  Summary& summary = summaries_[info_->index];
  const auto count = static_cast<uint32_t>(summary.params.size());
  if (info_->decl->return_type_expr != nullptr) {
    Reach(UniformityGraph::kReturn, [](NodeId) {});
    summary.returns_non_uniform = is_visited_[UniformityGraph::kMayBeNonUniform];
    for (uint32_t i = 0; i < count; ++i) {
      summary.params[i].is_returned = is_visited_[graph_.Param(i)];
      summary.params[i].is_returned_contents = is_visited_[graph_.ParamContents(i)];
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (!IsFunctionPointer(info_->decl->params[i]->type)) continue;
    ParamSummary& param = summary.params[i];
    // Left as it was: it comes from itself alone.
    Reach(graph_.ReturnContents(i), [&](NodeId node) {
      if (node != graph_.ParamContents(i)) param.is_written = true;
    });
    param.may_be_non_uniform = is_visited_[UniformityGraph::kMayBeNonUniform];
    for (uint32_t k = 0; k < count; ++k) {
      if (is_visited_[graph_.Param(k)]) param.from_values.push_back(k);
      if (is_visited_[graph_.ParamContents(k)]) param.from_contents.push_back(k);
    }
  }
}

// --------------------------------------------------------------------------------------------------------- messages

void UniformityAnalysis::Report(Severity severity) {
  const std::vector<NodeId> ways = graph_.WaysToNonUniform();
  for (const auto& [node, requirement] : requirements_) {
    if (requirement->severity != severity || ways[node] == UniformityGraph::kNone) continue;
    if (reported_.insert(requirement->trigger).second) ReportOne(node, *requirement, ways);
  }
}

namespace {

diag::Sink::Builder Issue(diag::Sink& sink, int severity, diag::Range range, diag::Code code) {
  if (severity == 3) return sink.Error(range, code);
  if (severity == 2) return sink.Warning(range, code);
  return sink.Info(range, code);
}

/// How many calls on the way to the built-in function are shown.
constexpr int kMostCalls = 8;

std::string_view Describe(core::ParamUsage usage) {
  switch (usage) {
    case core::ParamUsage::kDelta:
      return "the argument 'delta' of ";
    case core::ParamUsage::kMask:
      return "the argument 'mask' of ";
    default:
      return "the pointer argument of ";
  }
}

}  // namespace

void UniformityAnalysis::ReportOne(NodeId node, const Requirement& requirement, const std::vector<NodeId>& ways) {
  const ast::Call* trigger = requirement.trigger;
  const core::OverloadFacts& facts = core::Facts(*resolve::CallTargetOf(*trigger));
  const diag::Range range = requirement.trigger_arg != nullptr ? requirement.trigger_arg->range : trigger->range;
  const diag::Code code = facts.effects.Has(core::Effect::kDerivative) ? diag::Code("derivative-uniformity")
                          : facts.effects.Has(core::Effect::kSubgroup) ? diag::Code("subgroup-uniformity")
                                                                       : diag::Code("barrier-uniformity");
  auto error = Issue(context_.sink, requirement.severity, range, code);
  const std::string name = context_.Quoted(trigger->callee->name);
  if (requirement.trigger_arg == nullptr) {
    error << name << " must be called in uniform control flow";
  } else {
    core::ParamUsage usage = core::ParamUsage::kPointer;
    for (size_t i = 0; i < trigger->args.size() && i < facts.params.size(); ++i) {
      if (trigger->args[i] == requirement.trigger_arg) usage = facts.params[i].usage;
    }
    error << Describe(usage) << name << " must be uniform";
  }
  int calls = 0;
  for (const Requirement* at = &requirement; at->inner != nullptr && calls < kMostCalls; at = at->inner, ++calls) {
    error.Note(at->call->range, "it is called by way of " + context_.Quoted(at->call->callee->name) + " here");
  }
  const ast::Node* condition = nullptr;
  const ast::Node* source = nullptr;
  for (; node != UniformityGraph::kMayBeNonUniform; node = ways[node]) {
    if (graph_.kind(node) == Kind::kCondition && condition == nullptr) condition = graph_.where(node);
    if (graph_.kind(node) == Kind::kSource) source = graph_.where(node);
  }
  if (condition != nullptr) {
    error.Note(condition->range, "control flow depends on this value, which may be non-uniform");
  }
  if (source != nullptr) NoteSource(error, source);
}

void UniformityAnalysis::NoteSource(diag::Sink::Builder& error, const ast::Node* source) {
  if (const auto* param = source->TryAs<ast::Variable>()) {
    error.Note(param->name_range, "the input " + context_.Quoted(param->name) + " may be non-uniform");
    return;
  }
  if (const auto* call = source->TryAs<ast::Call>()) {
    error.Note(call->range, "what " + context_.Quoted(call->callee->name) + " gives may be non-uniform");
    return;
  }
  const auto* expr = source->As<ast::Expr>();
  const ast::Variable* root = NearestRoot(expr);
  error.Note(expr->range, root == nullptr ? std::string("this value may be non-uniform")
                                          : "what is read from " + context_.Quoted(root->name) + " may be non-uniform");
}

}  // namespace kiln::wgsl::validate
