// SPDX-License-Identifier: Apache-2.0
#include "opt/spirv/simplify.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "opt/spirv/fold.h"

namespace kiln::opt::spirv {
namespace {

constexpr uint32_t kNoContraction = 42;

class Simplifier {
 public:
  Simplifier(Module& module, Inst& inst, bool keeps_signed_zero)
      : module_(module), inst_(inst), keeps_signed_zero_(keeps_signed_zero) {}

  Id Run() {
    for (int step = 0; step < 8; ++step) {  // each rewriting makes it simpler; the bound is for what is no valid module
      changed_ = false;
      if (const Id value = Once(); value != 0) return value;
      if (!changed_) return 0;
    }
    return 0;
  }

 private:
  Id Once() {
    if (const Id constant = FoldConstant(module_, inst_); constant != 0) return constant;
    switch (inst_.op) {
      case Op::kCopyObject:
        return inst_.operands[0];
      case Op::kCompositeExtract:
        return Extract();
      case Op::kCompositeInsert:
        return Insert();
      case Op::kCompositeConstruct:
        return Construct();
      case Op::kVectorShuffle:
        return Shuffle();
      case Op::kSelect:
        return Select();
      case Op::kBitcast:
        return module_.TypeOf(inst_.operands[0]) == inst_.type ? inst_.operands[0] : 0;
      case Op::kFNegate:
      case Op::kSNegate:
      case Op::kNot:
      case Op::kLogicalNot:
        return Twice();
      default:
        return inst_.count == 2 ? Binary() : 0;
    }
  }

  const Inst* Operand(size_t at) const { return at < inst_.count ? module_.Find(inst_.operands[at]) : nullptr; }

  void Become(Op op, std::span<const uint32_t> operands) {
    inst_.op = op;
    inst_.operands = module_.arena.Copy(operands).data();
    inst_.count = static_cast<uint16_t>(operands.size());
    changed_ = true;
  }

  // -(-x), !!x; the negation of a comparison is the other one.
  Id Twice() {
    const Inst* operand = Operand(0);
    if (operand == nullptr) return 0;
    if (operand->op == inst_.op && operand->count == 1 && module_.TypeOf(operand->operands[0]) == inst_.type)
      return operand->operands[0];
    if (inst_.op != Op::kLogicalNot || operand->count != 2) return 0;
    if (const auto opposite = Opposite(operand->op)) Become(*opposite, operand->words());
    return 0;
  }

  static std::optional<Op> Opposite(Op op) {
    switch (op) {
      case Op::kIEqual:
        return Op::kINotEqual;
      case Op::kINotEqual:
        return Op::kIEqual;
      case Op::kUGreaterThan:
        return Op::kULessThanEqual;
      case Op::kULessThanEqual:
        return Op::kUGreaterThan;
      case Op::kUGreaterThanEqual:
        return Op::kULessThan;
      case Op::kULessThan:
        return Op::kUGreaterThanEqual;
      case Op::kSGreaterThan:
        return Op::kSLessThanEqual;
      case Op::kSLessThanEqual:
        return Op::kSGreaterThan;
      case Op::kSGreaterThanEqual:
        return Op::kSLessThan;
      case Op::kSLessThan:
        return Op::kSGreaterThanEqual;
      case Op::kLogicalEqual:
        return Op::kLogicalNotEqual;
      case Op::kLogicalNotEqual:
        return Op::kLogicalEqual;
      // Ordered and unordered floats would make the texts of other languages longer.
      default:
        return std::nullopt;
    }
  }

  Id Extract() {
    const Inst* from = Operand(0);
    if (from == nullptr) return 0;
    if (inst_.count == 1) return inst_.operands[0];
    const uint32_t first = inst_.operands[1];
    const std::span<const uint32_t> path = std::as_const(inst_).words().subspan(1);
    switch (from->op) {
      case Op::kUndef:
        return module_.Undef(inst_.type);
      case Op::kConstantNull:
        return module_.Null(inst_.type);
      case Op::kConstantComposite:
      case Op::kSpecConstantComposite:
        if (first >= from->count) return 0;
        return Deeper(from->operands[first], path.subspan(1));
      case Op::kCompositeConstruct:
        return ExtractFromConstruct(*from, path);
      case Op::kCompositeExtract: {
        if (from->count < 2 || from->count + path.size() > 64) return 0;
        std::vector<uint32_t> operands(from->operands, from->operands + from->count);
        operands.insert(operands.end(), path.begin(), path.end());
        Become(Op::kCompositeExtract, operands);
        return 0;
      }
      case Op::kCompositeInsert: {
        const std::span<const uint32_t> set = from->words().subspan(2);
        const size_t common = std::min(set.size(), path.size());
        const bool is_same = std::equal(set.begin(), set.begin() + static_cast<ptrdiff_t>(common), path.begin());
        if (!is_same) return From(from->operands[1], path);
        if (set.size() <= path.size()) return Deeper(from->operands[0], path.subspan(set.size()));
        return 0;
      }
      case Op::kVectorShuffle: {
        if (path.size() != 1 || first + 2u >= from->count) return 0;
        uint32_t component = from->operands[2 + first];
        if (component == 0xffffffff) return module_.Undef(inst_.type);
        const uint32_t width = module_.PartCount(module_.TypeOf(from->operands[0]));
        const bool is_second = component >= width;
        if (is_second) component -= width;
        return From(from->operands[is_second ? 1 : 0], std::span(&component, 1));
      }
      default:
        return 0;
    }
  }

  // A vector may be constructed of vectors.
  Id ExtractFromConstruct(const Inst& from, std::span<const uint32_t> path) {
    const Inst* type = module_.Find(from.type);
    if (type->op != Op::kTypeVector || from.count == type->operands[1]) {
      if (path[0] >= from.count) return 0;
      return Deeper(from.operands[path[0]], path.subspan(1));
    }
    uint32_t at = path[0];
    for (const Id part : from.words()) {
      const Inst* part_type = module_.Find(module_.TypeOf(part));
      if (part_type == nullptr) return 0;
      const uint32_t width = part_type->op == Op::kTypeVector ? part_type->operands[1] : 1;
      if (at < width) {
        if (part_type->op != Op::kTypeVector) return part;
        return From(part, std::span(&at, 1));
      }
      at -= width;
    }
    return 0;
  }

  Id Deeper(Id from, std::span<const uint32_t> path) { return path.empty() ? from : From(from, path); }

  Id From(Id from, std::span<const uint32_t> path) {
    std::vector<uint32_t> operands{from};
    operands.insert(operands.end(), path.begin(), path.end());
    Become(Op::kCompositeExtract, operands);
    return 0;
  }

  // An insertion that, with those before it, sets every part makes the composite anew.
  Id Insert() {
    if (inst_.count != 3) return 0;
    const uint32_t parts = module_.PartCount(inst_.type);
    if (parts == 0 || parts > 16) return 0;
    std::vector<uint32_t> operands(parts, 0);
    uint32_t missing = parts;
    const Inst* at = &inst_;
    for (uint32_t steps = 0; steps < 64 && missing != 0; ++steps) {
      if (at->op == Op::kCompositeInsert && at->count == 3) {
        if (at->operands[2] >= parts) return 0;
        uint32_t& part = operands[at->operands[2]];
        if (part == 0) {
          part = at->operands[0];
          --missing;
        }
        at = module_.Find(at->operands[1]);
        if (at == nullptr) return 0;
        continue;
      }
      const bool has_parts =
          (at->op == Op::kCompositeConstruct || at->op == Op::kConstantComposite) && at->count == parts;
      if (!has_parts) return 0;
      for (uint32_t part = 0; part < parts; ++part) {
        if (operands[part] == 0) operands[part] = at->operands[part];
      }
      missing = 0;
    }
    if (missing == 0) Become(Op::kCompositeConstruct, operands);
    return 0;
  }

  Id Construct() {
    const Inst* type = module_.Find(inst_.type);
    if (std::ranges::all_of(inst_.words(), [&](Id part) { return module_.IsConstant(part); })) {
      const uint32_t parts = module_.PartCount(inst_.type);
      // A vector of vectors is no constant as it stands.
      if (parts == inst_.count) return module_.CompositeConstant(inst_.type, inst_.words());
    }
    // All parts of one value, in order, are the value.
    const Inst* first = Operand(0);
    if (first == nullptr || first->op != Op::kCompositeExtract || first->count != 2) return 0;
    if (module_.PartCount(inst_.type) != inst_.count) return 0;
    const Id whole = first->operands[0];
    bool is_whole = module_.TypeOf(whole) == inst_.type;
    bool is_shuffle = type->op == Op::kTypeVector && module_.Find(module_.TypeOf(whole))->op == Op::kTypeVector;
    std::vector<uint32_t> shuffle{whole, whole};
    for (uint16_t at = 0; at < inst_.count; ++at) {
      const Inst* part = Operand(at);
      const bool is_part =
          part != nullptr && part->op == Op::kCompositeExtract && part->count == 2 && part->operands[0] == whole;
      is_whole &= is_part && part->operands[1] == at;
      is_shuffle &= is_part;
      if (is_part) shuffle.push_back(part->operands[1]);
    }
    if (is_whole) return whole;
    if (is_shuffle) Become(Op::kVectorShuffle, shuffle);
    return 0;
  }

  Id Shuffle() {
    const Inst* a = Operand(0);
    const Inst* b = Operand(1);
    if (a == nullptr || b == nullptr) return 0;
    const uint32_t width = module_.PartCount(a->type);
    if (width == 0) return 0;
    std::vector<uint32_t> components(inst_.operands + 2, inst_.operands + inst_.count);
    const bool uses_a = std::ranges::any_of(components, [&](uint32_t at) { return at < width; });
    const bool uses_b = std::ranges::any_of(components, [&](uint32_t at) { return at >= width && at != 0xffffffff; });
    if (uses_a && uses_b && inst_.operands[0] != inst_.operands[1]) return FoldShuffle(components, width);
    // It takes from one vector alone.
    const Inst* from = uses_b ? b : a;
    if (uses_b) {
      for (uint32_t& at : components) at = at == 0xffffffff ? at : at >= width ? at - width : at;
    }
    bool is_identity = from->type == inst_.type;
    for (uint32_t at = 0; at < components.size(); ++at)
      is_identity &= components[at] == at || components[at] == 0xffffffff;
    if (is_identity && (uses_a || uses_b)) return from->result;
    if (from->op == Op::kVectorShuffle) {
      std::vector<uint32_t> operands{from->operands[0], from->operands[1]};
      for (const uint32_t at : components) {
        if (at != 0xffffffff && at + 2 >= from->count) return 0;
        operands.push_back(at == 0xffffffff ? at : from->operands[2 + at]);
      }
      Become(Op::kVectorShuffle, operands);
      return 0;
    }
    if (inst_.operands[0] != from->result || inst_.operands[1] != from->result) {
      std::vector<uint32_t> operands{from->result, from->result};
      operands.insert(operands.end(), components.begin(), components.end());
      Become(Op::kVectorShuffle, operands);
      return 0;
    }
    return FoldShuffle(components, width);
  }

  Id FoldShuffle(std::span<const uint32_t> components, uint32_t width) {
    std::vector<uint32_t> parts;
    for (uint32_t at : components) {
      if (at == 0xffffffff) return 0;
      const Inst* from = Operand(at < width ? 0 : 1);
      if (at >= width) at -= width;
      if (from->op != Op::kConstantComposite || at >= from->count || !module_.IsConstant(from->result)) return 0;
      parts.push_back(from->operands[at]);
    }
    return module_.CompositeConstant(inst_.type, parts);
  }

  Id Select() {
    if (inst_.count != 3) return 0;
    if (inst_.operands[1] == inst_.operands[2]) return inst_.operands[1];
    uint32_t condition = 0;
    if (module_.ConstantBits(inst_.operands[0], condition)) return inst_.operands[condition != 0 ? 1 : 2];
    const Inst* yes = Operand(1);
    const Inst* no = Operand(2);
    if (yes != nullptr && no != nullptr && yes->op == Op::kConstantTrue && no->op == Op::kConstantFalse)
      return inst_.operands[0];
    return 0;
  }

  // Every component of a constant is this number.
  bool IsAll(Id id, uint32_t number) const {
    const Inst* inst = module_.Find(id);
    if (inst == nullptr) return false;
    uint32_t bits = 0;
    if (module_.ConstantBits(id, bits)) return bits == number;
    if (inst->op == Op::kConstantNull) return number == 0 && module_.ScalarOf(inst->type) != Module::Scalar::kOther;
    if (inst->op != Op::kConstantComposite || module_.Find(inst->type)->op != Op::kTypeVector) return false;
    return std::ranges::all_of(inst->words(),
                               [&](Id part) { return module_.ConstantBits(part, bits) && bits == number; });
  }

  bool IsPrecise() const { return keeps_signed_zero_ || module_.HasDecoration(inst_.result, kNoContraction); }

  Id Binary() {
    const Id a = inst_.operands[0];
    const Id b = inst_.operands[1];
    constexpr uint32_t kOne = std::bit_cast<uint32_t>(1.0f);
    constexpr uint32_t kMinusZero = 0x80000000;
    switch (inst_.op) {
      case Op::kIAdd:
      case Op::kBitwiseOr:
      case Op::kBitwiseXor:
        if (IsAll(b, 0)) return Same(a);
        return IsAll(a, 0) ? Same(b) : 0;
      case Op::kISub:
      case Op::kShiftLeftLogical:
      case Op::kShiftRightLogical:
      case Op::kShiftRightArithmetic:
        return IsAll(b, 0) ? Same(a) : 0;
      case Op::kIMul:
        if (IsAll(b, 1)) return Same(a);
        if (IsAll(a, 1)) return Same(b);
        if (IsAll(b, 0)) return Same(b);
        return IsAll(a, 0) ? Same(a) : 0;
      case Op::kBitwiseAnd:
        if (IsAll(b, 0xffffffff)) return Same(a);
        if (IsAll(a, 0xffffffff)) return Same(b);
        if (IsAll(b, 0)) return Same(b);
        return IsAll(a, 0) ? Same(a) : 0;
      case Op::kUDiv:
      case Op::kSDiv:
        return IsAll(b, 1) ? Same(a) : 0;
      case Op::kFAdd:
        if (IsAll(b, kMinusZero) || (IsAll(b, 0) && !IsPrecise())) return a;
        if (IsAll(a, kMinusZero) || (IsAll(a, 0) && !IsPrecise())) return b;
        return Negated(1, Op::kFSub);
      case Op::kFSub:
        return IsAll(b, 0) ? a : Negated(1, Op::kFAdd);
      case Op::kFMul:
        if (IsAll(b, kOne)) return a;
        return IsAll(a, kOne) ? b : 0;
      case Op::kFDiv:
      case Op::kVectorTimesScalar:
      case Op::kMatrixTimesScalar:
        return IsAll(b, kOne) ? a : 0;
      case Op::kLogicalAnd:
        if (a == b || IsAll(b, 1) || IsAll(a, 0)) return a;
        return IsAll(a, 1) || IsAll(b, 0) ? b : 0;
      case Op::kLogicalOr:
        if (a == b || IsAll(b, 0) || IsAll(a, 1)) return a;
        return IsAll(a, 0) || IsAll(b, 1) ? b : 0;
      case Op::kLogicalEqual:
      case Op::kLogicalNotEqual:
        return WithTruth(a, b);
      default:
        return 0;
    }
  }

  // Integers of either sign may stand beside each other; a value does only where its type is the result's.
  Id Same(Id id) const { return module_.TypeOf(id) == inst_.type ? id : 0; }

  // x + (-y) is x - y, exactly.
  Id Negated(size_t at, Op op) {
    const Inst* operand = Operand(at);
    if (operand == nullptr || operand->op != Op::kFNegate || operand->count != 1) return 0;
    const uint32_t operands[] = {inst_.operands[0], operand->operands[0]};
    Become(op, operands);
    return 0;
  }

  Id WithTruth(Id a, Id b) {
    const bool wants_equal = inst_.op == Op::kLogicalEqual;
    if (IsAll(b, wants_equal)) return a;
    if (IsAll(a, wants_equal)) return b;
    Id other = 0;
    if (IsAll(b, !wants_equal)) other = a;
    if (IsAll(a, !wants_equal)) other = b;
    if (other != 0) Become(Op::kLogicalNot, std::span(&other, 1));
    return 0;
  }

  Module& module_;
  Inst& inst_;
  bool keeps_signed_zero_;
  bool changed_ = false;
};

}  // namespace

Id Simplify(Module& module, Inst& inst, bool keeps_signed_zero) {
  return Simplifier(module, inst, keeps_signed_zero).Run();
}

}  // namespace kiln::opt::spirv
