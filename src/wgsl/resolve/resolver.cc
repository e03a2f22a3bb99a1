// SPDX-License-Identifier: Apache-2.0
#include "wgsl/resolve/resolver.h"

#include <algorithm>
#include <array>

#include "base/edit_distance.h"
#include "wgsl/syntax/foreign_names.h"

namespace kiln::wgsl::resolve {

Resolver::Resolver(ast::Module& module, const NameTable& names, core::TypeTable& types, Arena& arena, diag::Sink& sink,
                   const Options& options)
    : module_(module),
      names_(names),
      types_(types),
      arena_(arena),
      sink_(sink),
      options_(options),
      info_(arena.Make<ModuleInfo>()),
      errors_before_(sink.error_count()),
      globals_by_name_(arena.MakeArray<ast::Decl*>(names.size())),
      locals_by_name_(arena.MakeArray<Binding>(names.size())) {
  info_->module = &module;
}

Result<ModuleInfo*> Resolver::Run() {
  ResolveDirectives();
  DeclareGlobals();
  for (ast::Node* node : module_.decls) {
    if (HasTooManyErrors()) return sink_.FailedBecauseReported();
    if (auto* stmt = node->TryAs<ast::ConstAssert>()) {
      ResolveConstAssert(stmt);
      continue;
    }
    auto* decl = node->As<ast::Decl>();
    EnsureResolved(decl, decl->name_range);
    if (auto* function = decl->TryAs<ast::Function>()) ResolveBody(function);
  }
  OrderFunctions();
  if (sink_.error_count() != errors_before_) return sink_.FailedBecauseReported();
  CloseEntryPoints();
  info_->globals = arena_.Copy(ordered_globals_);
  info_->structs = arena_.Copy(ordered_structs_);
  return info_;
}

// https://www.w3.org/TR/WGSL/#extensions
void Resolver::ResolveDirectives() {
  for (ast::Node* node : module_.directives) {
    if (auto* enable = node->TryAs<ast::EnableDirective>()) {
      for (const ast::WordAt& word : enable->names) {
        const auto extension = core::ParseExtension(Text(word.name));
        if (extension && options_.extensions.Has(*extension)) {
          info_->extensions.Add(*extension);
          if (*extension == core::Extension::kSubgroupSizeControl) info_->extensions.Add(core::Extension::kSubgroups);
          continue;
        }
        auto error = Error(word.range, "unknown-extension");
        error << (extension ? "the extension '" : "there is no extension '") << Text(word.name)
              << (extension ? "' is not available here" : "'");
        const auto near = NearestName(Text(word.name), core::AllNames<core::Extension>());
        if (!extension && !near.empty()) error.Hint("did you mean '" + std::string(near) + "'?");
        if (core::ParseLanguageFeature(Text(word.name))) error.Hint("it is a language feature: write 'requires'");
      }
    } else if (auto* needs = node->TryAs<ast::RequiresDirective>()) {
      for (const ast::WordAt& word : needs->names) {
        const auto feature = core::ParseLanguageFeature(Text(word.name));
        if (feature && options_.features.Has(*feature)) continue;
        auto error = Error(word.range, "unknown-language-feature");
        error << (feature ? "the language feature '" : "there is no language feature '") << Text(word.name)
              << (feature ? "' is not available here" : "'");
        const auto near = NearestName(Text(word.name), core::AllNames<core::LanguageFeature>());
        if (!feature && !near.empty()) error.Hint("did you mean '" + std::string(near) + "'?");
        if (core::ParseExtension(Text(word.name))) error.Hint("it is an extension: write 'enable'");
      }
    }
  }
}

void Resolver::DeclareGlobals() {
  uint32_t variables = 0;
  for (ast::Node* node : module_.decls) {
    auto* decl = node->TryAs<ast::Decl>();
    if (decl == nullptr) continue;
    if (auto* variable = decl->TryAs<ast::Variable>()) variable->index = variables++;
    if (!decl->name) continue;
    ast::Decl*& slot = globals_by_name_[decl->name.id];
    if (slot != nullptr) {
      Error(decl->name_range, "redeclared-name").Note(slot->name_range, "declared before here")
          << "'" << Text(decl->name) << "' is declared twice at module scope";
      continue;
    }
    slot = decl;
  }
  mentioned_by_.resize(variables);
}

// ----------------------------------------------------------------------------------------------------------- names

std::string Resolver::Quoted(Name name) const { return "'" + std::string(Text(name)) + "'"; }
std::string Resolver::Quoted(const Type* type) { return "'" + core::TypeName(type) + "'"; }

namespace {

using PredeclaredTable = std::array<core::Predeclared, static_cast<size_t>(Word::kEnd)>;

PredeclaredTable MakePredeclaredTable() {
  PredeclaredTable table{};
  for (size_t i = 1; i < table.size(); ++i)
    table[i] = core::LookupPredeclared(WordText(Word{static_cast<uint32_t>(i)}));
  return table;
}

}  // namespace

const core::Predeclared& PredeclaredOf(Name name) {
  static const PredeclaredTable table = MakePredeclaredTable();
  static const core::Predeclared none{};
  return name.id < table.size() ? table[name.id] : none;
}

// https://www.w3.org/TR/WGSL/#declaration-and-scope
Denoted Resolver::Lookup(Name name) const {
  if (context_.function != nullptr) {
    if (ast::Decl* local = locals_by_name_[name.id].decl) return {local, nullptr};
  }
  if (ast::Decl* global = globals_by_name_[name.id]) return {global, nullptr};
  const core::Predeclared& predeclared = PredeclaredOf(name);
  if (predeclared.kind != core::PredeclaredKind::kNone) return {nullptr, &predeclared};
  return {};
}

std::string_view Resolver::NearMiss(Name name) const {
  std::vector<std::string_view> candidates;
  for (const Undo& undo : undo_) {
    if (context_.function != nullptr && locals_by_name_[undo.name.id].decl != nullptr) {
      candidates.push_back(Text(undo.name));
    }
  }
  for (ast::Node* node : module_.decls) {
    if (auto* decl = node->TryAs<ast::Decl>(); decl != nullptr && decl->name) candidates.push_back(Text(decl->name));
  }
  core::ForEachPredeclared(
      [](void* list, std::string_view text, core::PredeclaredKind) {
        static_cast<std::vector<std::string_view>*>(list)->push_back(text);
      },
      &candidates);
  return NearestName(Text(name), candidates);
}

void Resolver::ReportUnresolved(Name name, Range range, bool is_type) {
  auto error = Error(range, "unresolved-name");
  error << "'" << Text(name) << "' is not declared";
  if (const std::string_view wgsl = ForeignNameInWgsl(Text(name)); !wgsl.empty()) {
    const std::string_view meant = is_type ? ForeignTypeInWgsl(Text(name)) : wgsl;
    if (!meant.empty()) error.Hint("WGSL calls it '" + std::string(meant) + "'");
    return;
  }
  if (const std::string_view hint = is_type ? "" : ForeignOperatorHint(Text(name)); !hint.empty()) {
    error.Hint(std::string(hint));
    return;
  }
  if (sink_.error_count() > 20) return;  // the search is linear; one pasted file must not make it quadratic
  const std::string_view near = NearMiss(name);
  if (!near.empty() && near != Text(name)) {
    error.Hint("did you mean '" + std::string(near) + "'?");
    return;
  }
  // A slip in a name of another language; three letters are near too much.
  if (!near.empty() || Text(name).size() < 4) return;
  const std::string_view foreign = NearestName(Text(name), ForeignNames());
  if (!foreign.empty()) error.Hint("did you mean '" + std::string(ForeignNameInWgsl(foreign)) + "'?");
}

bool Resolver::CheckExtension(core::Extension extension, core::LanguageFeature feature, std::string_view what,
                              Range range) {
  if (!IsEnabled(extension)) {
    Error(range, "extension-not-enabled").Hint("write 'enable " + std::string(core::Name(extension)) + ";' at the top")
        << what << " needs the extension '" << core::Name(extension) << "'";
    return false;
  }
  if (!HasFeature(feature)) {
    Error(range, "feature-not-available")
        << what << " needs the language feature '" << core::Name(feature) << "', which is not available here";
    return false;
  }
  return true;
}

bool Resolver::CheckAvailable(const core::Predeclared& predeclared, Name name, Range range) {
  if (IsEnabled(predeclared.extension) && HasFeature(predeclared.feature)) return true;
  return CheckExtension(predeclared.extension, predeclared.feature, Quoted(name), range);
}

std::string_view Resolver::WhatIs(const Denoted& denoted) {
  if (denoted.decl != nullptr) {
    switch (denoted.decl->kind) {
      case ast::Kind::kFunction:
        return "a function";
      case ast::Kind::kStruct:
        return "a structure";
      case ast::Kind::kAlias:
        return "a type";
      default:
        break;
    }
    switch (denoted.decl->As<ast::Variable>()->variable_kind) {
      case ast::VariableKind::kVar:
        return "a variable";
      case ast::VariableKind::kParam:
        return "a parameter";
      case ast::VariableKind::kOverride:
        return "an override";
      default:
        return "a value";
    }
  }
  if (denoted.predeclared == nullptr) return "not declared";
  switch (denoted.predeclared->kind) {
    case core::PredeclaredKind::kType:
      return "a type";
    case core::PredeclaredKind::kGenerator:
      return "a type generator";
    case core::PredeclaredKind::kFunction:
      return "a built-in function";
    case core::PredeclaredKind::kAddressSpace:
      return "an address space";
    case core::PredeclaredKind::kAccess:
      return "an access mode";
    case core::PredeclaredKind::kTexelFormat:
      return "a texel format";
    case core::PredeclaredKind::kNone:
      break;
  }
  return "not declared";
}

void Resolver::NoteDeclared(Builder& builder, const Denoted& denoted) const {
  if (denoted.decl != nullptr) builder.Note(denoted.decl->name_range, Quoted(denoted.decl->name) + " is declared here");
}

// ---------------------------------------------------------------------------------------------------------- scopes

void Resolver::PopScope() {
  const uint32_t start = scope_starts_.back();
  scope_starts_.pop_back();
  while (undo_.size() > start) {
    locals_by_name_[undo_.back().name.id] = undo_.back().before;
    undo_.pop_back();
  }
}

void Resolver::Bind(ast::Decl* decl) {
  if (!decl->name) return;
  Binding& binding = locals_by_name_[decl->name.id];
  const auto depth = static_cast<uint32_t>(scope_starts_.size());
  if (binding.decl != nullptr && binding.scope == depth) {
    Error(decl->name_range, "redeclared-name").Note(binding.decl->name_range, "declared before here")
        << "'" << Text(decl->name) << "' is declared twice in the same scope";
    return;
  }
  undo_.push_back({decl->name, binding});
  binding = {decl, depth};
}

// ------------------------------------------------------------------------------------------------------- operators

core::BinaryOp ToCore(ast::BinaryOp op) {
  static constexpr core::BinaryOp kMap[] = {
      core::BinaryOp::kAdd,        core::BinaryOp::kSub,        core::BinaryOp::kMul,     core::BinaryOp::kDiv,
      core::BinaryOp::kMod,        core::BinaryOp::kAnd,        core::BinaryOp::kOr,      core::BinaryOp::kXor,
      core::BinaryOp::kShiftLeft,  core::BinaryOp::kShiftRight, core::BinaryOp::kEqual,   core::BinaryOp::kNotEqual,
      core::BinaryOp::kLess,       core::BinaryOp::kLessEqual,  core::BinaryOp::kGreater, core::BinaryOp::kGreaterEqual,
      core::BinaryOp::kLogicalAnd, core::BinaryOp::kLogicalOr};
  KILN_CHECK(op < ast::BinaryOp::kNone);
  return kMap[static_cast<size_t>(op)];
}

core::UnaryOp ToCore(ast::UnaryOp op) {
  switch (op) {
    case ast::UnaryOp::kNegate:
      return core::UnaryOp::kNegate;
    case ast::UnaryOp::kComplement:
      return core::UnaryOp::kComplement;
    case ast::UnaryOp::kNot:
      return core::UnaryOp::kNot;
    default:
      KILN_UNREACHABLE("not an operator on values");
  }
}

Result<ModuleInfo*> Resolve(ast::Module& module, const NameTable& names, core::TypeTable& types, Arena& arena,
                            diag::Sink& sink, const Options& options) {
  return Resolver(module, names, types, arena, sink, options).Run();
}

}  // namespace kiln::wgsl::resolve
