// SPDX-License-Identifier: Apache-2.0
// What may be called, accessed or executed in which stage. Whether an entry point breaks a rule is known from sets that
// are computed once for each function; only if one does, the place is looked for.
#include "wgsl/validate/context.h"
#include "wgsl/validate/walk.h"

namespace kiln::wgsl::validate {
namespace {

using core::Stage;
using core::StageSet;

/// The stages in which a variable may be accessed. https://www.w3.org/TR/WGSL/#address-space
StageSet StagesOf(const ast::Variable* variable) {
  constexpr StageSet kCompute = {1 << static_cast<int>(Stage::kCompute)};
  constexpr StageSet kNotVertex = {
      static_cast<uint8_t>(StageSet::All().bits & ~(1 << static_cast<int>(Stage::kVertex)))};
  const resolve::VariableInfo* info = resolve::InfoOf(*variable);
  if (info == nullptr || variable->variable_kind != ast::VariableKind::kVar) return StageSet::All();
  switch (info->space) {
    case core::AddressSpace::kWorkgroup:
      return kCompute;
    case core::AddressSpace::kStorage:
      return core::CanWrite(info->access) ? kNotVertex : StageSet::All();
    case core::AddressSpace::kHandle: {
      const core::Type* type = variable->type;
      if (const auto* array = type->As<core::BindingArrayType>()) type = array->element;
      const auto* texture = type->As<core::TextureType>();
      const auto* buffer = type->As<core::TexelBufferType>();
      const bool is_written =
          (texture != nullptr && texture->texture == core::TextureKind::kStorage && core::CanWrite(texture->access)) ||
          (buffer != nullptr && core::CanWrite(buffer->access));
      return is_written ? kNotVertex : StageSet::All();
    }
    default:
      return StageSet::All();
  }
}

StageSet Intersect(StageSet a, StageSet b) { return {static_cast<uint8_t>(a.bits & b.bits)}; }

class Stages {
 public:
  explicit Stages(Context& context) : context_(context), allowed_(context.module.functions.size()) {}

  void Run() {
    for (const resolve::FunctionInfo* info : context_.module.functions) {
      StageSet stages = context_.facts[info->index].builtin_stages;
      for (const ast::Variable* variable : info->globals) stages = Intersect(stages, StagesOf(variable));
      if (context_.facts[info->index].discard.is_known()) stages = Intersect(stages, kFragmentOnly);
      for (const resolve::CallSite& site : info->calls) stages = Intersect(stages, allowed_[site.callee->index]);
      allowed_[info->index] = stages;
    }
    for (const resolve::FunctionInfo* info : context_.module.entry_points) {
      if (!allowed_[info->index].Has(info->entry_point->stage)) Explain(*info);
    }
  }

 private:
  static constexpr StageSet kFragmentOnly = {1 << static_cast<int>(Stage::kFragment)};

  void Explain(const resolve::FunctionInfo& entry_point) {
    ExplainIn(entry_point, entry_point);
    for (const resolve::FunctionInfo* callee : entry_point.all_callees) ExplainIn(*callee, entry_point);
  }

  void ExplainIn(const resolve::FunctionInfo& info, const resolve::FunctionInfo& entry_point) {
    const Stage stage = entry_point.entry_point->stage;
    for (const ast::Call* call : info.builtin_calls) {
      const core::CallTarget* target = resolve::CallTargetOf(*call);
      if (target == nullptr || core::Facts(*target).stages.Has(stage)) continue;
      auto error = context_.sink.Error(call->range, "stage-not-allowed");
      error << "the built-in function " << context_.Quoted(call->callee->name);
      Finish(error, info, entry_point);
      return;
    }
    if (context_.facts[info.index].discard.is_known() && stage != Stage::kFragment) {
      auto error = context_.sink.Error(context_.facts[info.index].discard, "stage-not-allowed");
      error << "'discard'";
      Finish(error, info, entry_point);
      return;
    }
    for (const ast::Variable* variable : info.globals) {
      if (StagesOf(variable).Has(stage)) continue;
      diag::Range use = info.decl->name_range;
      bool is_found = false;
      ForEachRootExpr(info.decl->body, [&](const ast::Expr* root) {
        if (is_found) return;
        ForEachExpr(root, [&](const ast::Expr* expr) {
          if (is_found || resolve::VariableOf(*expr) != variable) return;
          is_found = true;
          use = expr->range;
        });
      });
      auto error = context_.sink.Error(use, "stage-not-allowed");
      error.Note(variable->name_range, "it is declared here");
      error << "the variable " << context_.Quoted(variable->name);
      const resolve::VariableInfo* var_info = resolve::InfoOf(*variable);
      if (var_info->space == core::AddressSpace::kWorkgroup) {
        error << " of the address space 'workgroup'";
      } else {
        error << ", which can be written,";
      }
      Finish(error, info, entry_point);
      return;
    }
  }

  void Finish(diag::Sink::Builder& error, const resolve::FunctionInfo& info, const resolve::FunctionInfo& entry_point) {
    static constexpr std::string_view kStages[] = {"vertex", "fragment", "compute"};
    error << " cannot be used by a " << kStages[static_cast<size_t>(entry_point.entry_point->stage)] << " shader";
    if (&info == &entry_point) return;
    error.Note(entry_point.decl->name_range,
               context_.Quoted(info.decl->name) + " is called from this entry point, directly or not");
  }

  Context& context_;
  std::vector<StageSet> allowed_;
};

}  // namespace

void CheckStages(Context& context) { Stages(context).Run(); }

}  // namespace kiln::wgsl::validate
