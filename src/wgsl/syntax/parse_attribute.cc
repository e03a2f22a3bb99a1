// SPDX-License-Identifier: Apache-2.0
// Attributes (WGSL #attributes): which there are and how many arguments each takes. Where each may stand and what its
// arguments mean is for later stages.
#include "base/edit_distance.h"
#include "wgsl/syntax/parser.h"

namespace kiln::wgsl {

using ast::AttributeKind;

namespace {

struct Form {
  Word word;
  AttributeKind kind;
  uint8_t at_least;
  uint8_t at_most;
};

constexpr Form kForms[] = {
    {Word::kAlign, AttributeKind::kAlign, 1, 1},
    {Word::kBinding, AttributeKind::kBinding, 1, 1},
    {Word::kBlendSrc, AttributeKind::kBlendSrc, 1, 1},
    {Word::kBuiltin, AttributeKind::kBuiltin, 1, 2},
    {Word::kCompute, AttributeKind::kCompute, 0, 0},
    {Word::kConst, AttributeKind::kConst, 0, 0},
    {Word::kDiagnostic, AttributeKind::kDiagnostic, 2, 2},
    {Word::kFragment, AttributeKind::kFragment, 0, 0},
    {Word::kGroup, AttributeKind::kGroup, 1, 1},
    {Word::kId, AttributeKind::kId, 1, 1},
    {Word::kInterpolate, AttributeKind::kInterpolate, 1, 2},
    {Word::kInvariant, AttributeKind::kInvariant, 0, 0},
    {Word::kLocation, AttributeKind::kLocation, 1, 1},
    {Word::kMustUse, AttributeKind::kMustUse, 0, 0},
    {Word::kSize, AttributeKind::kSize, 1, 1},
    {Word::kSubgroupSize, AttributeKind::kSubgroupSize, 1, 1},
    {Word::kVertex, AttributeKind::kVertex, 0, 0},
    {Word::kWorkgroupSize, AttributeKind::kWorkgroupSize, 1, 3},
};

const Form* FormOf(Name name) {
  for (const Form& form : kForms) {
    if (ToName(form.word) == name) return &form;
  }
  return nullptr;
}

}  // namespace

bool Parser::attributes(ast::Attributes* out) {
  if (Peek() != TokenKind::kAttr) [[likely]]
    return true;
  Collector<ast::Attribute> list(*this);
  while (Peek() == TokenKind::kAttr) {
    ast::Attribute* read = attribute();
    if (read == nullptr) return false;
    list.Add(read);
  }
  *out = list.Finish();
  return true;
}

ast::Attribute* Parser::attribute() {
  const uint32_t begin = PeekBegin();
  ++at_;
  if (!IsWordKind(Peek())) {
    ReportExpected("an attribute name", "after '@'");
    return nullptr;
  }
  const diag::Range name_range = PeekRange();
  const Form* form = FormOf(tokens_.name(at_));
  if (form == nullptr) {
    const std::string_view text = TextOf(name_range);
    auto error = Error(name_range, "unknown-attribute");
    error << "unknown attribute '@" << text << "'";
    std::vector<std::string_view> candidates;
    for (const Form& candidate : kForms) candidates.push_back(WordText(candidate.word));
    if (text == "stage") {
      error.Hint("write '@vertex', '@fragment' or '@compute'");
    } else if (const auto nearest = NearestName(text, candidates); !nearest.empty()) {
      error.Hint("did you mean '@" + std::string(nearest) + "'?");
    }
    return nullptr;
  }
  ++at_;
  auto* read = arena_.Make<ast::Attribute>(name_range, form->kind);
  if (form->kind == AttributeKind::kConst) {
    Error({begin, name_range.end}, "const-attribute") << "'@const' is for built-in functions only";
    return nullptr;
  }
  if (form->kind == AttributeKind::kDiagnostic) {
    read->control = arena_.Make<ast::DiagnosticControl>();
    if (!diagnostic_control(read->control)) return nullptr;
    has_diagnostic_attributes_ = true;
  } else if (form->at_most == 0) {
    if (Peek() == TokenKind::kParenLeft) {
      Error(PeekRange(), "attribute-arguments") << "'@" << WordText(form->word) << "' takes no arguments";
      return nullptr;
    }
  } else if (!AttributeArguments(read, form->at_least, form->at_most)) {
    return nullptr;
  }
  read->range = RangeFrom(begin);
  return read;
}

bool Parser::AttributeArguments(ast::Attribute* attribute, size_t at_least, size_t at_most) {
  const std::string_view name = ast::AttributeName(attribute->attribute);
  const uint32_t open = at_;
  if (Peek() != TokenKind::kParenLeft) {
    ReportExpected("'('", "after '@" + std::string(name) + "'");
    return false;
  }
  ++at_;
  if (!ExpressionList(TokenKind::kParenRight, open, "after the arguments of the attribute", &attribute->args)) {
    return false;
  }
  const size_t count = attribute->args.size();
  if (count >= at_least && count <= at_most) {
    if (attribute->attribute != AttributeKind::kBuiltin && attribute->attribute != AttributeKind::kInterpolate) {
      return true;
    }
    for (const ast::Expr* arg : attribute->args) {
      const auto* ident = arg->TryAs<ast::Ident>();
      if (ident == nullptr || !ident->args.empty() || ident->is_parenthesized) {
        Error(arg->range, "attribute-arguments") << "the argument of '@" << name << "' must be a name";
        return false;
      }
    }
    return true;
  }
  auto error = Error(RangeFrom(tokens_.begin(open)), "attribute-arguments");
  error << "'@" << name << "' takes ";
  if (at_least == at_most) {
    error << at_least << (at_least == 1 ? " argument" : " arguments");
  } else {
    error << at_least << " to " << at_most << " arguments";
  }
  error << ", found " << count;
  return false;
}

}  // namespace kiln::wgsl
