// SPDX-License-Identifier: Apache-2.0
// Diagnostic filters that contradict each other, and rules that nobody knows.
// https://www.w3.org/TR/WGSL/#diagnostic-filtering
#include <algorithm>
#include <utility>

#include "base/edit_distance.h"
#include "wgsl/validate/context.h"

namespace kiln::wgsl::validate {
namespace {

class Filters {
 public:
  explicit Filters(Context& context) : context_(context) {}

  /// Filters of one affected range. A rule may be named again with the same severity by directives only: an attribute
  /// must not stand twice on one thing.
  void CheckSet(std::vector<const ast::DiagnosticControl*>& controls, bool are_attributes) {
    for (const ast::DiagnosticControl* control : controls) CheckRule(*control);
    std::stable_sort(controls.begin(), controls.end(),
                     [](const ast::DiagnosticControl* a, const ast::DiagnosticControl* b) {
                       return std::pair(a->rule_first.id, a->rule.id) < std::pair(b->rule_first.id, b->rule.id);
                     });
    for (size_t i = 1; i < controls.size(); ++i) {
      const ast::DiagnosticControl& a = *controls[i - 1];
      const ast::DiagnosticControl& b = *controls[i];
      if (a.rule != b.rule || a.rule_first != b.rule_first) continue;
      if (a.severity != b.severity) {
        context_.sink.Error(b.rule_range, "conflicting-diagnostic-filters")
                .Note(a.severity_range, "severity " + context_.Quoted(a.severity) + " is asked for here")
            << "this diagnostic filter contradicts another of the same range";
      } else if (are_attributes) {
        context_.sink.Error(b.rule_range, "repeated-attribute").Note(a.rule_range, "written before here")
            << "@diagnostic is written twice for the same rule";
      }
    }
  }

  void CheckAttributes(const ast::Attributes& attributes) {
    if (attributes.empty()) return;
    std::vector<const ast::DiagnosticControl*> controls;
    for (const ast::Attribute* attribute : attributes) {
      if (attribute->control != nullptr) controls.push_back(attribute->control);
    }
    if (!controls.empty()) CheckSet(controls, true);
  }

  void CheckStatement(const ast::Stmt* stmt) {
    if (stmt == nullptr) return;
    switch (stmt->kind) {
      case ast::Kind::kBlock: {
        const auto* s = static_cast<const ast::Block*>(stmt);
        CheckAttributes(s->attributes);
        for (const ast::Stmt* inner : s->statements) CheckStatement(inner);
        return;
      }
      case ast::Kind::kIf: {
        const auto* s = static_cast<const ast::If*>(stmt);
        CheckAttributes(s->attributes);
        for (const ast::IfArm& arm : s->arms) CheckStatement(arm.body);
        return CheckStatement(s->else_body);
      }
      case ast::Kind::kSwitch: {
        const auto* s = static_cast<const ast::Switch*>(stmt);
        CheckAttributes(s->attributes);
        CheckAttributes(s->body_attributes);
        for (const ast::Case* clause : s->cases) CheckStatement(clause->body);
        return;
      }
      case ast::Kind::kLoop: {
        const auto* s = static_cast<const ast::Loop*>(stmt);
        CheckAttributes(s->attributes);
        CheckStatement(s->body);
        return CheckStatement(s->continuing);
      }
      case ast::Kind::kFor: {
        const auto* s = static_cast<const ast::For*>(stmt);
        CheckAttributes(s->attributes);
        return CheckStatement(s->body);
      }
      case ast::Kind::kWhile: {
        const auto* s = static_cast<const ast::While*>(stmt);
        CheckAttributes(s->attributes);
        return CheckStatement(s->body);
      }
      default:
        return;
    }
  }

 private:
  /// An unknown rule is no error: a later implementation may know it. Rules in two parts belong to someone else.
  void CheckRule(const ast::DiagnosticControl& control) {
    if (control.rule_first) return;
    const std::string_view text = context_.Text(control.rule);
    if (core::ParseDiagnosticRule(text)) return;
    auto warning = context_.sink.Warning(control.rule_range, "unknown-diagnostic-rule");
    warning << "there is no diagnostic rule '" << text << "'";
    const std::string_view near = NearestName(text, core::AllNames<core::DiagnosticRule>());
    if (!near.empty()) warning.Hint("did you mean '" + std::string(near) + "'?");
  }

  Context& context_;
};

}  // namespace

void CheckDiagnosticFilters(Context& context) {
  Filters filters(context);
  std::vector<const ast::DiagnosticControl*> controls;
  for (const ast::Node* directive : context.module.module->directives) {
    if (const auto* d = directive->TryAs<ast::DiagnosticDirective>()) controls.push_back(&d->control);
  }
  filters.CheckSet(controls, false);
  if (!context.module.module->has_diagnostic_attributes) return;
  for (const resolve::FunctionInfo* info : context.module.functions) {
    filters.CheckAttributes(info->decl->attributes);
    filters.CheckStatement(info->decl->body);
  }
}

}  // namespace kiln::wgsl::validate
