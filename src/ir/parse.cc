// SPDX-License-Identifier: Apache-2.0
// The module level of the text form. Two rounds: the first declares every name, the second reads what may mention
// names that stand later in the text (initialisers, counts, bodies).
#include "ir/parse.h"

#include <bit>
#include <charconv>
#include <string>

#include "ir/parser.h"

namespace kiln::ir {

Result<Done> Parse(const diag::SourceFile& file, Module& module, diag::Sink& sink) {
  if (!Parser(file, module, sink).Run()) return sink.FailedBecauseReported();
  return Done{};
}

Parser::Parser(const diag::SourceFile& file, Module& module, diag::Sink& sink)
    : module_(module), sink_(sink), builder_(module), tokens_(Lex(file.text())), base_(file.base()) {}

// ------------------------------------------------------------------------------------------------------------ tokens

bool Parser::ErrorAt(const Token& token, std::string_view message) {
  sink_.Error(RangeOf(token), "ir-syntax") << message;
  return false;
}
bool Parser::Error(std::string_view message) { return ErrorAt(Peek(), message); }

bool Parser::Accept(char punct) {
  if (!Peek().Is(punct)) return false;
  Next();
  return true;
}
bool Parser::AcceptWord(std::string_view word) {
  if (!Peek().IsWord(word)) return false;
  Next();
  return true;
}
bool Parser::AcceptPair(char first, char second) {
  if (!Peek().Is(first) || !Peek(1).Is(second) || Peek().end != Peek(1).begin) return false;
  Next();
  Next();
  return true;
}
bool Parser::Expect(char punct) {
  if (Accept(punct)) return true;
  return Error(std::string("expected '") + punct + "'");
}
bool Parser::ExpectWord(std::string_view word) {
  if (AcceptWord(word)) return true;
  return Error("expected '" + std::string(word) + "'");
}

/// A plain number: counts, groups, sizes.
std::optional<uint32_t> Parser::Number() {
  const Token token = Next();
  uint32_t number = 0;
  const char* last = token.text.data() + token.text.size();
  const auto [end, error] = std::from_chars(token.text.data(), last, number);
  if (token.kind != Token::Kind::kNumber || error != std::errc() || end != last) {
    ErrorAt(token, "expected a number");
    return std::nullopt;
  }
  return number;
}
std::optional<uint32_t> Parser::NumberInParens() {
  if (!Expect('(')) return std::nullopt;
  const auto number = Number();
  return number && Expect(')') ? number : std::nullopt;
}

bool Parser::SkipBraces() {
  while (Accept('@')) {
    if (!SkipTo(')')) return false;
    Next();
  }
  if (!Peek().Is('{')) return Error("expected '{'");
  int open = 0;
  do {
    const Token token = Next();
    if (token.kind == Token::Kind::kEnd) return ErrorAt(token, "expected '}'");
    open += token.Is('{') ? 1 : token.Is('}') ? -1 : 0;
  } while (open > 0);
  return true;
}

bool Parser::SkipTo(char punct) {
  while (!Peek().Is(punct)) {
    if (Peek().kind == Token::Kind::kEnd) return Error(std::string("expected '") + punct + "'");
    Next();
  }
  return true;
}

// ------------------------------------------------------------------------------------------------------------ module

bool Parser::Run() {
  while (Peek().kind != Token::Kind::kEnd) {
    if (Peek().IsWord("enable") || Peek().IsWord("requires") || Peek().IsWord("diagnostic")) {
      if (!Directive()) return false;
      continue;
    }
    Attributes attributes;
    if (!ParseAttributes(attributes)) return false;
    const Token word = Next();
    builder_.range = RangeOf(Peek());
    const bool ok = word.IsWord("struct")     ? Structure(attributes)
                    : word.IsWord("const")    ? ConstDecl(attributes)
                    : word.IsWord("override") ? OverrideDecl(attributes)
                    : word.IsWord("count")    ? CountDecl()
                    : word.IsWord("var")      ? VarDecl(attributes)
                    : word.IsWord("fn")       ? FunctionDecl(attributes)
                                              : ErrorAt(word, "expected a declaration");
    if (!ok) return false;
  }
  return Bodies();
}

bool Parser::Directive() {
  const Token word = Next();
  const Token name = Next();
  if (word.text == "enable") {
    const auto extension = core::ParseExtension(name.text);
    if (!extension) return ErrorAt(name, "unknown extension");
    module_.enables.Add(*extension);
  } else if (word.text == "requires") {
    const auto feature = core::ParseLanguageFeature(name.text);
    if (!feature) return ErrorAt(name, "unknown language feature");
    module_.requirements.Add(*feature);
  } else {
    DiagnosticFilter filter{};
    if (!Filter(name, filter)) return false;
    module_.diagnostics.push_back(filter);
  }
  return Expect(';');
}

/// What stands after the severity.
bool Parser::Filter(const Token& word, DiagnosticFilter& filter) {
  const auto severity = core::ParseFilterSeverity(word.text);
  if (!severity) return ErrorAt(word, "expected error, warning, info or off");
  const Token first = Next();
  std::string rule(first.text);
  if (Accept('.')) rule.append(".").append(Next().text);
  if (first.kind != Token::Kind::kWord) return ErrorAt(first, "expected a rule");
  filter = {*severity, module_.arena.Copy(std::string_view(rule))};
  return true;
}

/// `@diagnostic(off, rule)` before a `{`.
bool Parser::Filters(Block& block) {
  std::vector<DiagnosticFilter> filters;
  while (Accept('@')) {
    if (!ExpectWord("diagnostic") || !Expect('(')) return false;
    const Token severity = Next();
    if (!Expect(',') || !Filter(severity, filters.emplace_back()) || !Expect(')')) return false;
  }
  if (!filters.empty()) block.filters = module_.arena.Copy(filters);
  return true;
}

bool Parser::ParseAttributes(Attributes& attributes) {
  while (Accept('@')) {
    const Token name = Next();
    if (!Attribute(attributes, name)) return false;
  }
  return true;
}

bool Parser::Attribute(Attributes& attributes, const Token& name) {
  const std::pair<std::string_view, std::optional<uint32_t>*> numbers[] = {
      {"align", &attributes.align},          {"size", &attributes.size},
      {"offset", &attributes.offset},        {"id", &attributes.id},
      {"group", &attributes.group},          {"binding", &attributes.binding},
      {"location", &attributes.io.location}, {"blend_src", &attributes.io.blend_src},
  };
  for (const auto& [text, slot] : numbers) {
    if (name.text == text) return (*slot = NumberInParens()).has_value();
  }
  const std::pair<std::string_view, bool*> flags[] = {
      {"abi", &attributes.is_abi},
      {"opaque", &attributes.is_opaque},
      {"must_use", &attributes.is_must_use},
      {"invariant", &attributes.io.invariant},
  };
  for (const auto& [text, flag] : flags) {
    if (name.text == text) return *flag = true;
  }
  for (const auto stage : {core::Stage::kVertex, core::Stage::kFragment, core::Stage::kCompute}) {
    if (name.text == core::Name(stage)) {
      attributes.stage = stage;
      return true;
    }
  }
  if (!Expect('(')) return false;
  if (name.text == "workgroup_size" || name.text == "subgroup_size") {
    (name.text == "workgroup_size" ? attributes.workgroup_size : attributes.subgroup_size) = at_;
    for (int open = 1; open > 0;) {
      const Token token = Next();
      if (token.kind == Token::Kind::kEnd) return ErrorAt(token, "expected ')'");
      open += token.Is('(') ? 1 : token.Is(')') ? -1 : 0;
    }
    return true;
  }
  const Token first = Next();
  Token second;
  if (Accept(',')) second = Next();
  if (!Expect(')')) return false;
  bool is_known = second.kind == Token::Kind::kEnd;
  if (name.text == "builtin") {
    attributes.io.builtin = core::ParseBuiltinValue(first.text);
    attributes.io.depth_mode = core::ParseDepthMode(second.text);
    return (attributes.io.builtin && (is_known || attributes.io.depth_mode)) ||
           ErrorAt(first, "unknown built-in value");
  }
  if (name.text == "interpolate") {
    attributes.io.interpolation = core::ParseInterpolationType(first.text);
    attributes.io.sampling = core::ParseInterpolationSampling(second.text);
    return (attributes.io.interpolation && (is_known || attributes.io.sampling)) ||
           ErrorAt(first, "unknown interpolation");
  }
  return ErrorAt(name, "unknown attribute");
}

/// `struct S { @align(16) a: f32, b: vec3<f32>, }`
bool Parser::Structure(const Attributes& attributes) {
  const Token name = Next();
  if (name.kind != Token::Kind::kWord || structs_.contains(name.text)) return ErrorAt(name, "expected a new name");
  if (!Expect('{')) return false;
  std::vector<core::MemberSpec> members;
  while (!Accept('}')) {
    Attributes of_member;
    if (!ParseAttributes(of_member)) return false;
    const Token member = Next();
    if (member.kind != Token::Kind::kWord) return ErrorAt(member, "expected the name of a member");
    for (const core::MemberSpec& other : members) {
      if (other.name == member.text) return ErrorAt(member, "this structure has such a member already");
    }
    if (!Expect(':')) return false;
    core::MemberSpec& spec = members.emplace_back();
    spec.name = member.text;
    spec.type = Type();
    if (spec.type == nullptr || !(Accept(',') || Peek().Is('}'))) return Error("expected ',' or '}'");
    if (!spec.type->is_storable()) return ErrorAt(member, "no member can have this type");
    if (of_member.align && !std::has_single_bit(*of_member.align)) return ErrorAt(member, "wrong alignment");
    if (of_member.size && *of_member.size < spec.type->size) return ErrorAt(member, "wrong size");
    spec.explicit_align = of_member.align.value_or(0);
    spec.explicit_size = of_member.size.value_or(0);
    if (of_member.offset) spec.explicit_offset = *of_member.offset;
    spec.io = of_member.io;
  }
  if (members.empty()) return ErrorAt(name, "a structure has at least one member");
  const core::StructType* type = module_.types.Struct(name.text, members);
  type->abi = attributes.is_abi;
  StructDecl* decl = builder_.AddStruct(type);
  decl->opaque = attributes.is_opaque;
  structs_.emplace(decl->name, decl);
  return true;
}

bool Parser::ConstDecl(const Attributes& attributes) {
  const Token name = Next();
  if (!Expect('=')) return false;
  const core::Constant* value = Constant();
  if (value == nullptr || !Expect(';')) return false;
  NamedConst* decl = builder_.AddConst(name.text, value);
  decl->abi = attributes.is_abi;
  decl->opaque = attributes.is_opaque;
  return Declare(name, decl);
}

bool Parser::OverrideDecl(const Attributes& attributes) {
  const Token name = Next();
  if (!Expect(':')) return false;
  const core::Type* type = Type();
  if (type == nullptr) return false;
  Override* decl = builder_.AddOverride(name.text, type, nullptr);
  decl->abi = attributes.is_abi;
  decl->opaque = attributes.is_opaque;
  if (attributes.id) {
    if (*attributes.id > 65535) return ErrorAt(name, "an id has 16 bits");
    decl->override_id = static_cast<uint16_t>(*attributes.id);
  }
  if (Accept('=')) deferred_.push_back({decl, at_});
  return SkipTo(';') && Expect(';') && Declare(name, decl);
}

/// `count $0 = e;`
bool Parser::CountDecl() {
  const Token token = Peek();
  if (token.kind != Token::Kind::kCount) return Error("expected '$' and a number");
  const core::OverrideCount* count = CountOfToken();
  if (count == nullptr || !Expect('=')) return false;
  for (DeferredCount& entry : counts_) {
    if (entry.count == count) entry.init = at_;
  }
  return SkipTo(';') && Expect(';');
}

bool Parser::VarDecl(const Attributes& attributes) {
  const Token name = Next();
  if (!Expect(':')) return false;
  const core::Type* type = Type();
  if (type == nullptr) return false;
  if (!type->Is(core::TypeKind::kPointer)) return ErrorAt(name, "a module-scope variable has a pointer type");
  Var* decl = builder_.AddVar(name.text, &type->To<core::PointerType>(), nullptr);
  decl->abi = attributes.is_abi;
  decl->opaque = attributes.is_opaque;
  if (attributes.group.has_value() != attributes.binding.has_value()) {
    return ErrorAt(name, "group and binding come together");
  }
  if (attributes.group) decl->binding = BindingPoint{*attributes.group, *attributes.binding};
  if (Accept('=')) deferred_.push_back({decl, at_});
  return SkipTo(';') && Expect(';') && Declare(name, decl);
}

const core::IoAttributes* Parser::Keep(const core::IoAttributes& io) {
  return io.is_empty() ? nullptr : module_.arena.Make<core::IoAttributes>(io);
}

bool Parser::FunctionDecl(const Attributes& attributes) {
  const Token name = Next();
  if (!Expect('(')) return false;
  std::vector<Param*> params;
  while (!Accept(')')) {
    if (!params.empty() && !Expect(',')) return false;
    Attributes of_param;
    if (!ParseAttributes(of_param)) return false;
    const Token param = Next();
    if (param.kind != Token::Kind::kValue) return ErrorAt(param, "expected '%' and a name");
    if (!Expect(':')) return false;
    const core::Type* type = Type();
    if (type == nullptr) return false;
    builder_.range = RangeOf(param);
    params.push_back(builder_.NewParam(param.text, type));
    params.back()->io = Keep(of_param.io);
  }
  const core::Type* result = core::Void();
  Attributes of_result;
  if (AcceptPair('-', '>')) {
    if (!ParseAttributes(of_result)) return false;
    result = Type();
    if (result == nullptr) return false;
  }
  builder_.range = RangeOf(name);
  Function* function = builder_.AddFunction(name.text, result, params);
  function->abi = attributes.is_abi;
  function->opaque = attributes.is_opaque;
  function->must_use = attributes.is_must_use;
  function->result_io = Keep(of_result.io);
  if (attributes.stage) {
    function->entry = module_.arena.Make<EntryPoint>();
    function->entry->stage = *attributes.stage;
  } else if (attributes.workgroup_size || attributes.subgroup_size) {
    return ErrorAt(name, "only an entry point has a workgroup size");
  }
  deferred_.push_back({function, at_, attributes.workgroup_size, attributes.subgroup_size});
  return SkipBraces() && Declare(name, function);
}

// ------------------------------------------------------------------------------------------------------ second round

bool Parser::Bodies() {
  for (const DeferredCount& entry : counts_) {
    if (entry.count == nullptr || entry.init == 0) return ErrorAt(entry.use, "this count is not declared");
    at_ = entry.init;
    Expr* value = Expression();
    if (value == nullptr) return false;
    builder_.AddCount(entry.count, value);
    if (!Expect(';')) return false;
  }
  for (const Deferred& deferred : deferred_) {
    at_ = deferred.init;
    if (auto* override = deferred.decl->TryAs<Override>()) {
      override->init = ExpressionOf(override->type);
      if (override->init == nullptr || !Expect(';')) return false;
      continue;
    }
    if (auto* var = deferred.decl->TryAs<Var>()) {
      var->init = ExpressionOf(var->type->To<core::PointerType>().store);
      if (var->init == nullptr || !Expect(';')) return false;
      continue;
    }
    Function* function = deferred.decl->As<Function>();
    if (deferred.workgroup_size) {
      at_ = deferred.workgroup_size;
      for (size_t i = 0; i < 3; ++i) {
        if (i && !Expect(',')) return false;
        function->entry->workgroup_size[i] = Expression();
        if (function->entry->workgroup_size[i] == nullptr) return false;
      }
      if (!Expect(')')) return false;
    }
    if (deferred.subgroup_size) {
      at_ = deferred.subgroup_size;
      function->entry->subgroup_size = Expression();
      if (function->entry->subgroup_size == nullptr || !Expect(')')) return false;
    }
    at_ = deferred.init;
    const size_t mark = shadowed_.size();
    for (Param* param : function->params) {
      Token name;
      name.kind = Token::Kind::kValue;
      name.text = param->name;
      if (!Declare(name, param)) return false;
    }
    if (!Statements(function->body, nullptr)) return false;
    Leave(mark);
  }
  return true;
}

// ------------------------------------------------------------------------------------------------------------ scopes

bool Parser::Declare(const Token& name, Decl* decl) {
  if (name.kind != Token::Kind::kValue) return ErrorAt(name, "expected '%' and a name");
  Decl*& slot = scope_[decl->name];
  shadowed_.emplace_back(decl->name, slot);
  slot = decl;
  return true;
}

void Parser::Leave(size_t mark) {
  for (; shadowed_.size() > mark; shadowed_.pop_back()) {
    const auto& [name, before] = shadowed_.back();
    if (before) {
      scope_[name] = before;
    } else {
      scope_.erase(name);
    }
  }
}

}  // namespace kiln::ir
