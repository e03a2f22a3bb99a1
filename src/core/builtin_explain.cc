// SPDX-License-Identifier: Apache-2.0
// Why no overload fits, for messages. Only runs when there is an error to report.
#include <algorithm>

#include "core/match.h"

namespace kiln::core {

namespace {

using signature::Attempt;
using signature::Overload;
using signature::Query;
using signature::Step;

constexpr size_t kMostCandidates = 6;

std::string TypeList(std::span<const Type* const> types) {
  std::string text;
  for (const Type* type : types) {
    if (!text.empty()) text += ", ";
    AppendTypeName(text, type);
  }
  return text;
}

struct Candidate {
  const Overload* overload;
  std::string reason;
  size_t nearness;
};

Candidate Judge(const Overload& overload, const Query& query) {
  Attempt attempt;
  Try(overload, query, attempt);
  switch (attempt.step) {
    case Step::kTemplate:
      return {&overload, query.is_constructor ? "the component type does not fit" : "the template arguments do not fit",
              0};
    case Step::kCount: {
      const size_t wants = overload.param_count;
      return {&overload, "takes " + std::to_string(wants) + (wants == 1 ? " argument" : " arguments"), 1};
    }
    case Step::kArgument:
      return {
          &overload,
          "argument " + std::to_string(attempt.argument + 1) + " is '" + TypeName(query.args[attempt.argument]) + "'",
          2u + attempt.argument};
    case Step::kVariable: {
      // Where one argument alone says what the variable is, it is to blame.
      const signature::Pattern* params = signature::PatternsOf(overload) + overload.template_count;
      size_t users = 0;
      size_t user = 0;
      for (size_t i = 0; i < query.args.size(); ++i) {
        if (params[i].form != signature::Form::kValue || params[i].c != (signature::kVar | attempt.variable)) continue;
        ++users;
        user = i;
      }
      const bool is_told = users == 1 && query.args.size() > 1;
      return {&overload,
              is_told ? "argument " + std::to_string(user + 1) + " is '" + TypeName(query.args[user]) + "'"
                      : "the types do not meet its constraint",
              2 + query.args.size()};
    }
    case Step::kMatched:
      return {&overload, "fits as well as another", 3 + query.args.size()};
  }
  KILN_UNREACHABLE("step");
}

Mismatch Explain(std::span<const Overload> overloads, const Query& query, std::string message) {
  std::vector<Candidate> candidates;
  for (const Overload& overload : overloads) {
    if (query.is_constructor && query.element == nullptr && overload.template_count != 0) continue;
    candidates.push_back(Judge(overload, query));
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.nearness > b.nearness; });
  Mismatch mismatch;
  mismatch.message = std::move(message);
  // Where some get as far as an argument, the others only distract.
  const size_t least = candidates.empty() || candidates[0].nearness < 2 ? 0 : candidates[0].nearness;
  for (const Candidate& candidate : candidates) {
    if (mismatch.candidates.size() == kMostCandidates || candidate.nearness < least) break;
    mismatch.candidates.push_back(SignatureText(signature::IndexOf(*candidate.overload)) + "  (" + candidate.reason +
                                  ")");
  }
  return mismatch;
}

/// How many scalars the constructor wants and how many all arguments together have; 0 where that says nothing.
struct ScalarCounts {
  uint32_t wanted = 0;
  uint32_t given = 0;
};
ScalarCounts CountScalars(Constructor constructor, std::span<const Type* const> args) {
  if (constructor < Constructor::kVec2 || args.empty()) return {};
  if (constructor <= Constructor::kVec4 && args.size() == 1 && args[0]->is_scalar()) return {};  // for all components
  ScalarCounts counts;
  for (const Type* arg : args) {
    if (arg->is_scalar()) {
      counts.given += 1;
    } else if (const VecType* vec = arg->As<VecType>()) {
      counts.given += vec->width;
    } else {
      return {};
    }
  }
  const uint32_t number = static_cast<uint32_t>(constructor);
  const uint32_t matrix = number - static_cast<uint32_t>(Constructor::kMat2x2);
  counts.wanted = constructor <= Constructor::kVec4 ? number - static_cast<uint32_t>(Constructor::kVec2) + 2
                                                    : (matrix / 3 + 2) * (matrix % 3 + 2);
  return counts;
}

}  // namespace

Mismatch ExplainMismatch(TypeTable&, BuiltinFn fn, const CallArgs& args) {
  const Query query{args.types, args.template_types, nullptr, false, args.all_const};
  std::string what(Name(fn));
  if (!args.template_types.empty()) what += "<" + TypeList(args.template_types) + ">";
  return Explain(signature::OverloadsOf(fn), query,
                 "no overload of '" + what + "' takes (" + TypeList(args.types) + ")");
}

Mismatch ExplainMismatch(TypeTable&, UnaryOp op, const Type* operand) {
  const Query query{{&operand, 1}, {}, nullptr, false, true};
  return Explain(signature::OverloadsOf(op), query,
                 "operator '" + std::string(Name(op)) + "' does not take '" + TypeName(operand) + "'");
}

Mismatch ExplainMismatch(TypeTable&, BinaryOp op, const Type* left, const Type* right) {
  const Type* const operands[] = {left, right};
  const Query query{operands, {}, nullptr, false, true};
  return Explain(
      signature::OverloadsOf(op), query,
      "operator '" + std::string(Name(op)) + "' does not take '" + TypeName(left) + "' and '" + TypeName(right) + "'");
}

Mismatch ExplainMismatch(TypeTable&, Constructor constructor, const Type* element, const CallArgs& args) {
  const Query query{args.types, {}, element, true, args.all_const};
  std::string what(Name(constructor));
  if (element != nullptr) what += "<" + TypeName(element) + ">";
  const ScalarCounts counts = CountScalars(constructor, args.types);
  if (counts.wanted != counts.given) {
    return {"'" + what + "' has " + std::to_string(counts.wanted) + " components, but (" + TypeList(args.types) +
                ") gives " + std::to_string(counts.given),
            {}};
  }
  return Explain(signature::OverloadsOf(constructor), query,
                 "'" + what + "' cannot be made from (" + TypeList(args.types) + ")");
}

}  // namespace kiln::core
