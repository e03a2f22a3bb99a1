// SPDX-License-Identifier: Apache-2.0
// Module-scope declarations: order independence, cycles, what depends on which override. Variables of all kinds are in
// variables.cc.
#include <string>
#include <vector>

#include "wgsl/resolve/idents.h"
#include "wgsl/resolve/resolver.h"

namespace kiln::wgsl::resolve {

namespace {

/// How many declarations may wait for one another on the stack before their order is found without recursion.
constexpr size_t kMaxBusy = 48;

}  // namespace

void Resolver::EnsureResolved(ast::Decl* decl, Range use) {
  if (decl->state == kDone) return;
  if (decl->state == kBusy) {
    size_t start = busy_.size();
    while (start > 0 && busy_[start - 1] != decl) --start;
    KILN_CHECK(start > 0);
    ReportCycle(start - 1);
    return;
  }
  (void)use;
  if (busy_.size() >= kMaxBusy || depth_ >= kMaxPendingDepth) {
    ResolveFar(decl);
    return;
  }
  ResolveDecl(decl);
}

void Resolver::ResolveDecl(ast::Decl* decl) {
  const Context saved = context_;
  const size_t deps_end = deps_.size();
  context_ = {decl, nullptr, false, static_cast<uint32_t>(deps_end)};
  decl->state = kBusy;
  busy_.push_back(decl);
  switch (decl->kind) {
    case ast::Kind::kVariable:
      ResolveGlobalVariable(decl->As<ast::Variable>());
      break;
    case ast::Kind::kAlias:
      ResolveAlias(decl->As<ast::Alias>());
      break;
    case ast::Kind::kStruct:
      ResolveStruct(decl->As<ast::Struct>());
      break;
    case ast::Kind::kFunction:
      ResolveSignature(decl->As<ast::Function>());
      break;
    default:
      KILN_UNREACHABLE("not a module-scope declaration");
  }
  busy_.pop_back();
  decl->state = kDone;
  deps_.resize(deps_end);
  context_ = saved;
}

// https://www.w3.org/TR/WGSL/#declaration-and-scope: no cycles among module-scope declarations.
void Resolver::ReportCycle(size_t start) {
  // A cycle is reported once: what takes part in it is poison from then on.
  ast::Decl* first = busy_[start];
  if ((first->flags & kInCycle) != 0) return;
  std::string path;
  for (size_t i = start; i < busy_.size(); ++i) {
    busy_[i]->flags |= kInCycle;
    path += Quoted(busy_[i]->name) + " -> ";
  }
  auto error = Error(first->name_range, "dependency-cycle");
  error << "cyclic dependency: " << path << Quoted(first->name);
  for (size_t i = start; i < busy_.size(); ++i) {
    ast::Decl* next = i + 1 < busy_.size() ? busy_[i + 1] : first;
    error.Note(busy_[i]->name_range, Quoted(busy_[i]->name) + " needs " + Quoted(next->name));
    if (i - start >= 8) break;
  }
}

// The same as ResolveDecl, for long chains of declarations: what `decl` needs is found from the text of the
// declarations, with a stack of its own, and resolved before it. Outside of function bodies there are no local names,
// so a name is what the module declares, if it does.
void Resolver::ResolveFar(ast::Decl* decl) {
  struct Frame {
    ast::Decl* decl;
    std::vector<ast::Decl*> needs;
    size_t next = 0;
  };
  const auto needs_of = [this](ast::Decl* of) {
    std::vector<ast::Decl*> needs;
    ForEachIdent(of, [&](Name name) {
      ast::Decl* global = globals_by_name_[name.id];
      if (global != nullptr && global->state != kDone && global->kind != ast::Kind::kFunction) needs.push_back(global);
    });
    return needs;
  };
  std::vector<Frame> stack;
  stack.push_back({decl, needs_of(decl)});
  decl->flags |= kOnFarStack;
  while (!stack.empty()) {
    Frame& top = stack.back();
    if (top.next == top.needs.size()) {
      ast::Decl* ready = top.decl;
      ready->flags &= static_cast<uint8_t>(~kOnFarStack);
      stack.pop_back();
      if (ready->state == kNew && (ready->flags & kInCycle) == 0) ResolveDecl(ready);
      ready->state = ready->state == kBusy ? kBusy : kDone;
      continue;
    }
    ast::Decl* need = top.needs[top.next++];
    if (need->state == kDone) continue;
    if (need->state == kBusy || (need->flags & kOnFarStack) != 0) {
      if ((need->flags & kInCycle) == 0) {
        auto error = Error(need->name_range, "dependency-cycle");
        error << "cyclic dependency: " << Quoted(need->name) << " needs itself";
        if (top.decl != need) {
          error.Note(top.decl->name_range,
                     "the last step of the cycle: " + Quoted(top.decl->name) + " needs " + Quoted(need->name));
        }
      }
      for (size_t i = stack.size(); i-- > 0;) {
        stack[i].decl->flags |= kInCycle;
        if (stack[i].decl == need) break;
      }
      continue;
    }
    need->flags |= kOnFarStack;
    stack.push_back({need, needs_of(need)});
  }
}

// The overrides on which the declaration in work depends, for pipeline creation; in a body also the variables.
void Resolver::Mention(ast::Decl* decl) {
  if (auto* variable = decl->TryAs<ast::Variable>()) {
    MentionVariable(variable);
  } else if (auto* alias = decl->TryAs<ast::Alias>()) {
    if (alias->info == nullptr) return;
    for (ast::Variable* dep : *static_cast<std::span<ast::Variable* const>*>(alias->info)) MentionVariable(dep);
  }
}

void Resolver::MentionVariable(ast::Variable* variable) {
  if (variable->variable_kind == ast::VariableKind::kConst) return;
  if (context_.function == nullptr) {
    deps_.push_back(variable);
  } else if (mentioned_by_[variable->index] != context_.function) {
    mentioned_by_[variable->index] = context_.function;
    function_globals_.push_back(variable);
  }
}

std::span<ast::Variable* const> Resolver::TakeDeps() {
  return arena_.Copy(std::span<ast::Variable* const>(deps_).subspan(context_.deps_start));
}

// https://www.w3.org/TR/WGSL/#type-aliases
void Resolver::ResolveAlias(ast::Alias* alias) {
  CheckAttributes(alias->attributes, Place::kOther);
  alias->type = TypeOf(alias->type_expr);
  const auto deps = TakeDeps();
  if (!deps.empty()) alias->info = arena_.Make<std::span<ast::Variable* const>>(deps);
}

// https://www.w3.org/TR/WGSL/#const-assert-statement
void Resolver::ResolveConstAssert(ast::ConstAssert* stmt) {
  const Type* type = Value(stmt->condition);
  if (type->is_poison()) return;
  if (!type->Is(TypeKind::kBool)) {
    Error(stmt->condition->range, "type-mismatch")
        << "const_assert needs a 'bool', not a value of type " << Quoted(type);
    return;
  }
  if (!RequirePhase(stmt->condition, ast::Phase::kConst, "const_assert")) return;
  if (stmt->condition->value != nullptr && !stmt->condition->value->b()) {
    Error(stmt->range, "const-assert-failed") << "the assertion does not hold";
  }
}

}  // namespace kiln::wgsl::resolve
