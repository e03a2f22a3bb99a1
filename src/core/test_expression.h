// SPDX-License-Identifier: Apache-2.0
// For tests only: reads WGSL const-expressions and evaluates them with the matcher and the evaluator, so that a test
// case is one line of WGSL. It knows literals, operators, calls, constructors, access and `const` names; what it does
// not know is an error. The real thing is the resolver; this one exists so that core can be tested without it.
#pragma once

#include <cctype>
#include <charconv>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/eval.h"
#include "core/predeclared.h"

namespace kiln::core {

class TestExpression {
 public:
  explicit TestExpression(TypeTable& types) : types_(types) {}

  /// The value, or null with error().
  const Constant* Evaluate(std::string_view text) {
    Begin(text);
    const Constant* value = Binary(0);
    if (value != nullptr && at_ != text_.size()) return Fail("unexpected '" + std::string(text_.substr(at_)) + "'");
    return value;
  }

  /// Runs `const NAME = e;`, `const_assert e;` and `enable NAME;`; false with error() at the first that fails.
  bool Run(std::string_view text) {
    Begin(text);
    while (at_ < text_.size()) {
      const size_t start = at_;
      const std::string word = Word();
      if (word == "enable") {
        Word();
      } else if (word == "const") {
        const std::string name = Word();
        if (!Accept("=")) return Fail("expected '='") != nullptr;
        const Constant* value = Binary(0);
        if (value == nullptr) return false;
        names_[name] = value;
      } else if (word == "const_assert") {
        const Constant* value = Binary(0);
        if (value == nullptr) return false;
        if (value->type != Bool() || !value->b()) {
          return Fail("assertion failed: " + std::string(text_.substr(start, at_ - start))) != nullptr;
        }
      } else {
        return Fail("unknown statement '" + word + "'") != nullptr;
      }
      if (!Accept(";")) return Fail("expected ';'") != nullptr;
    }
    return true;
  }

  const std::string& error() const { return error_; }
  /// Whether the failure is this reader's: it met what it does not know.
  bool is_unknown() const { return is_unknown_; }

 private:
  void Begin(std::string_view text) {
    text_ = text;
    at_ = 0;
    error_.clear();
    is_unknown_ = false;
    Skip();
  }
  void Skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  const Constant* Fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
    is_unknown_ = true;
    return nullptr;
  }
  const Constant* Refuse(std::string message) {
    if (error_.empty()) error_ = std::move(message);
    return nullptr;
  }
  const Constant* Take(EvalResult result) { return result ? result.value : Refuse(std::move(result.error)); }
  bool Accept(std::string_view what) {
    if (text_.substr(at_, what.size()) != what) return false;
    at_ += what.size();
    Skip();
    return true;
  }
  std::string Word() {
    const size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    std::string word(text_.substr(start, at_ - start));
    Skip();
    return word;
  }

  const Constant* Convert(const Constant* value, const Type* to) { return Take(ConvertConstant(types_, value, to)); }

  const Constant* Binary(int level) {
    struct Op {
      const char* text;
      BinaryOp op;
      int level;
    };
    static constexpr Op kOps[] = {{"||", BinaryOp::kLogicalOr, 0}, {"&&", BinaryOp::kLogicalAnd, 1},
                                  {"<<", BinaryOp::kShiftLeft, 6}, {">>", BinaryOp::kShiftRight, 6},
                                  {"==", BinaryOp::kEqual, 5},     {"!=", BinaryOp::kNotEqual, 5},
                                  {"<=", BinaryOp::kLessEqual, 5}, {">=", BinaryOp::kGreaterEqual, 5},
                                  {"<", BinaryOp::kLess, 5},       {">", BinaryOp::kGreater, 5},
                                  {"|", BinaryOp::kOr, 2},         {"^", BinaryOp::kXor, 3},
                                  {"&", BinaryOp::kAnd, 4},        {"+", BinaryOp::kAdd, 7},
                                  {"-", BinaryOp::kSub, 7},        {"*", BinaryOp::kMul, 8},
                                  {"/", BinaryOp::kDiv, 8},        {"%", BinaryOp::kMod, 8}};
    const Constant* left = Unary();
    while (left != nullptr) {
      const Op* found = nullptr;
      for (const Op& op : kOps) {
        if (text_.substr(at_).starts_with(op.text)) {
          found = &op;
          break;
        }
      }
      if (found == nullptr || found->level < level) return left;
      Accept(found->text);
      const Constant* right = Binary(found->level + 1);
      if (right == nullptr) return nullptr;
      CallTarget target;
      if (!MatchBinary(types_, found->op, left->type, right->type, true, target)) {
        return Refuse(ExplainMismatch(types_, found->op, left->type, right->type).message);
      }
      left = Convert(left, target.params[0]);
      right = Convert(right, target.params[1]);
      if (left == nullptr || right == nullptr) return nullptr;
      left = Take(EvalBinary(types_, target, left, right));
    }
    return nullptr;
  }

  const Constant* Unary() {
    const UnaryOp op = text_.substr(at_, 1) == "-"   ? UnaryOp::kNegate
                       : text_.substr(at_, 1) == "~" ? UnaryOp::kComplement
                                                     : UnaryOp::kNot;
    if (!Accept(Name(op))) return Postfix();
    const Constant* value = Unary();
    if (value == nullptr) return nullptr;
    CallTarget target;
    if (!MatchUnary(types_, op, value->type, true, target)) {
      return Refuse(ExplainMismatch(types_, op, value->type).message);
    }
    return Take(EvalUnary(types_, target, value));
  }

  const Constant* Postfix() {
    const Constant* value = Primary();
    while (value != nullptr) {
      if (Accept("[")) {
        const Constant* index = Binary(0);
        if (index == nullptr || !Accept("]")) return Fail("expected an index");
        value = Take(EvalIndex(types_, value, index->i()));
      } else if (Accept(".")) {
        value = Member(value, Word());
      } else {
        return value;
      }
    }
    return nullptr;
  }

  const Constant* Member(const Constant* value, const std::string& name) {
    if (const StructType* structure = value->type->As<StructType>()) {
      const StructMember* member = structure->FindMember(name);
      return member == nullptr ? Fail("no member " + name) : EvalMember(types_, value, member->index);
    }
    std::vector<uint8_t> lanes;
    for (char c : name) {
      const size_t lane = std::string_view("xyzwrgba").find(c);
      if (lane == std::string_view::npos) return Fail("no member " + name);
      lanes.push_back(static_cast<uint8_t>(lane % 4));
    }
    return EvalSwizzle(types_, value, lanes);
  }

  const Constant* Primary() {
    if (Accept("(")) {
      const Constant* value = Binary(0);
      return value == nullptr || Accept(")") ? value : Fail("expected ')'");
    }
    if (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.')) {
      return Literal();
    }
    const std::string name = Word();
    if (name == "true" || name == "false") return Constant::Bool(name == "true");
    if (const auto found = names_.find(name); found != names_.end()) return found->second;
    return Call(name);
  }

  const Constant* Literal() {
    size_t end = at_;
    const bool is_hex = text_.substr(at_, 2) == "0x" || text_.substr(at_, 2) == "0X";
    while (end < text_.size()) {
      const char c = text_[end];
      const char before = end == at_ ? '0' : static_cast<char>(std::tolower(text_[end - 1]));
      const bool is_sign = (c == '+' || c == '-') && before == (is_hex ? 'p' : 'e');
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && !is_sign) break;
      ++end;
    }
    std::string text(text_.substr(at_, end - at_));
    at_ = end;
    Skip();
    const bool is_float = text.find('.') != std::string::npos ||
                          text.find_first_of(is_hex ? "pP" : "eE") != std::string::npos ||
                          (!is_hex && (text.back() == 'f' || text.back() == 'h'));
    char suffix = text.back();
    const bool has_suffix = suffix == 'u' || suffix == 'i' || ((suffix == 'f' || suffix == 'h') && is_float);
    if (has_suffix) {
      text.pop_back();
    } else {
      suffix = 0;
    }
    if (is_float) {
      const Type* type = suffix == 'f' ? F32() : suffix == 'h' ? F16() : AbstractFloat();
      const double value = std::strtod(text.c_str(), nullptr);
      return Convert(Constant::Float(types_.arena(), AbstractFloat(), value), type);
    }
    int64_t value = 0;
    const char* first = text.data() + (is_hex ? 2 : 0);
    const std::from_chars_result read = std::from_chars(first, text.data() + text.size(), value, is_hex ? 16 : 10);
    if (read.ec != std::errc{}) return Refuse("literal out of range");
    const Type* type = suffix == 'u'   ? U32()
                       : suffix == 'i' ? I32()
                       : suffix == 'f' ? F32()
                       : suffix == 'h' ? F16()
                                       : AbstractInt();
    return Convert(Constant::Int(types_.arena(), AbstractInt(), value), type);
  }

  const Type* ReadType() {
    const Predeclared found = LookupPredeclared(Word());
    if (found.kind == PredeclaredKind::kType) return found.type;
    if (found.kind != PredeclaredKind::kGenerator || !Accept("<")) return nullptr;
    const Type* element = ReadType();
    if (element == nullptr) return nullptr;
    const Type* type = nullptr;
    if (found.generator == TypeGenerator::kArray && Accept(",")) {
      const Constant* count = Postfix();
      if (count != nullptr) type = types_.Array(element, count->u32());
    } else if (found.generator >= TypeGenerator::kVec2 && found.generator <= TypeGenerator::kVec4) {
      type =
          types_.Vec(element, static_cast<uint32_t>(found.generator) - static_cast<uint32_t>(TypeGenerator::kVec2) + 2);
    } else if (found.generator >= TypeGenerator::kMat2x2 && found.generator <= TypeGenerator::kMat4x4) {
      const uint32_t n = static_cast<uint32_t>(found.generator) - static_cast<uint32_t>(TypeGenerator::kMat2x2);
      if (element->is_float_scalar()) type = types_.Mat(element, n / 3 + 2, n % 3 + 2);
    }
    return Accept(">") ? type : nullptr;
  }

  bool Arguments(std::vector<const Constant*>& args, std::vector<const Type*>& arg_types) {
    if (!Accept("(")) return Fail("expected '('") != nullptr;
    while (!Accept(")")) {
      const Constant* arg = Binary(0);
      if (arg == nullptr) return false;
      args.push_back(arg);
      arg_types.push_back(arg->type);
      if (!Accept(",") && text_.substr(at_, 1) != ")") return Fail("expected ','") != nullptr;
    }
    return true;
  }

  const Constant* Call(const std::string& name) {
    const Predeclared found = LookupPredeclared(name);
    std::vector<const Type*> template_types;
    const Type* element = nullptr;
    const Type* whole = found.kind == PredeclaredKind::kType ? found.type : nullptr;
    if (text_.substr(at_, 1) == "<") {
      if (found.kind == PredeclaredKind::kFunction) {
        Accept("<");
        const Type* type = ReadType();
        if (type == nullptr || !Accept(">")) return Fail("no type");
        template_types.push_back(type);
      } else {
        at_ = static_cast<size_t>(text_.rfind(name, at_));
        whole = ReadType();
        if (whole == nullptr) return Fail("no type");
      }
    }
    std::vector<const Constant*> args;
    std::vector<const Type*> arg_types;
    if (!Arguments(args, arg_types)) return nullptr;
    const CallArgs call{arg_types, template_types, true};
    CallTarget target;
    if (found.kind == PredeclaredKind::kFunction) {
      if (!MatchBuiltin(types_, found.function, call, target)) {
        return Refuse(ExplainMismatch(types_, found.function, call).message);
      }
    } else if (found.generator == TypeGenerator::kArray && (whole == nullptr || whole->Is(TypeKind::kArray)) &&
               found.kind == PredeclaredKind::kGenerator) {
      return Array(whole, args, arg_types);
    } else if (whole != nullptr || found.kind == PredeclaredKind::kGenerator) {
      Constructor constructor = Constructor::kBool;
      if (whole != nullptr) {
        constructor = *ConstructorOf(whole);
        if (!whole->is_scalar()) element = ScalarOf(whole);
      } else {
        constructor =
            static_cast<Constructor>(static_cast<int>(Constructor::kVec2) + static_cast<int>(found.generator) -
                                     static_cast<int>(TypeGenerator::kVec2));
      }
      if (!MatchConstructor(types_, constructor, element, call, target)) {
        return Refuse(ExplainMismatch(types_, constructor, element, call).message);
      }
    } else {
      return Fail("unknown name " + name);
    }
    for (size_t i = 0; i < args.size(); ++i) {
      args[i] = Convert(args[i], target.params[i]);
      if (args[i] == nullptr) return nullptr;
    }
    if (std::string message = CheckPartial(target, args); !message.empty()) return Refuse(std::move(message));
    return Take(EvalCall(types_, target, args));
  }

  const Constant* Array(const Type* whole, std::vector<const Constant*> args,
                        const std::vector<const Type*>& arg_types) {
    if (whole != nullptr && args.empty()) return Constant::Zero(types_.arena(), whole);
    const Type* element = whole != nullptr ? ElementOf(whole) : CommonType(arg_types);
    if (element == nullptr) return Refuse("no common type");
    for (const Constant*& arg : args) {
      if (ConversionRank(arg->type, element) == kNoConversion) return Refuse("element type");
      arg = Convert(arg, element);
      if (arg == nullptr) return nullptr;
    }
    const Type* type = whole != nullptr ? whole : types_.Array(element, static_cast<uint32_t>(args.size()));
    return Constant::Composite(types_.arena(), type, args);
  }

  TypeTable& types_;
  std::string_view text_;
  size_t at_ = 0;
  std::string error_;
  bool is_unknown_ = false;
  std::map<std::string, const Constant*> names_;
};

}  // namespace kiln::core
