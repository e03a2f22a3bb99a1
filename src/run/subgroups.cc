// SPDX-License-Identifier: Apache-2.0
// Subgroups and quads: invocations whose index in the workgroup is next to each other. Those that stand at the call are
// active, since all go through the code together. What an invocation that is not active, or not there, would give is 0.
// https://www.w3.org/TR/WGSL/#subgroup-builtin-functions
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "run/interpreter.h"

namespace kiln::run {

using core::BinaryOp;
using core::BuiltinFn;

namespace {

enum class Scan : uint8_t { kReduce, kInclusive, kExclusive };

struct Reduction {
  BuiltinFn fn;
  BinaryOp op;  // kLess, kGreater: the least and the greatest
  Scan scan;
};
constexpr Reduction kReductions[] = {
    {BuiltinFn::kSubgroupAdd, BinaryOp::kAdd, Scan::kReduce},
    {BuiltinFn::kSubgroupInclusiveAdd, BinaryOp::kAdd, Scan::kInclusive},
    {BuiltinFn::kSubgroupExclusiveAdd, BinaryOp::kAdd, Scan::kExclusive},
    {BuiltinFn::kSubgroupMul, BinaryOp::kMul, Scan::kReduce},
    {BuiltinFn::kSubgroupInclusiveMul, BinaryOp::kMul, Scan::kInclusive},
    {BuiltinFn::kSubgroupExclusiveMul, BinaryOp::kMul, Scan::kExclusive},
    {BuiltinFn::kSubgroupAnd, BinaryOp::kAnd, Scan::kReduce},
    {BuiltinFn::kSubgroupOr, BinaryOp::kOr, Scan::kReduce},
    {BuiltinFn::kSubgroupXor, BinaryOp::kXor, Scan::kReduce},
    {BuiltinFn::kSubgroupMin, BinaryOp::kLess, Scan::kReduce},
    {BuiltinFn::kSubgroupMax, BinaryOp::kGreater, Scan::kReduce},
};

}  // namespace

bool Interpreter::EvalReduction(const ir::Expr* expr, const Scalar64* from, Scalar64* to) {
  const auto* const row = std::find_if(std::begin(kReductions), std::end(kReductions),
                                       [&](const Reduction& each) { return each.fn == expr->builtin(); });
  if (row == std::end(kReductions)) return false;
  const core::Type* scalar = core::ScalarOf(expr->type);
  const bool is_float = scalar->is_float_scalar();
  const auto combine = [&](Scalar64 a, Scalar64 b) -> Scalar64 {
    if (row->op != BinaryOp::kLess && row->op != BinaryOp::kGreater) return Operate(row->op, scalar, a, b);
    const bool is_least = row->op == BinaryOp::kLess;
    if (is_float) return {.f = is_least ? std::fmin(a.f, b.f) : std::fmax(a.f, b.f)};
    return {.i = is_least ? std::min(a.i, b.i) : std::max(a.i, b.i)};
  };
  const int64_t neutral = row->op == BinaryOp::kMul ? 1 : 0;
  for (uint32_t slot = 0; slot < SlotsOf(expr->type); ++slot) {
    const Scalar64* const source = from + size_t{slot} * lanes_;
    Scalar64* const target = to + size_t{slot} * lanes_;
    for (uint32_t first = 0; first < lanes_; first += subgroup_size_) {
      const uint32_t end = std::min(lanes_, first + subgroup_size_);
      std::optional<Scalar64> so_far;
      for (uint32_t lane = first; lane < end; ++lane) {
        if (active_[lane] == 0) continue;
        if (row->scan == Scan::kExclusive) {
          target[lane] = so_far ? *so_far : is_float ? Scalar64{.f = double(neutral)} : Scalar64{.i = neutral};
        }
        so_far = so_far ? combine(*so_far, source[lane]) : source[lane];
        if (row->scan == Scan::kInclusive) target[lane] = *so_far;
      }
      for (uint32_t lane = first; lane < end && row->scan == Scan::kReduce; ++lane) {
        if (active_[lane] != 0) target[lane] = *so_far;
      }
    }
  }
  return true;
}

/// True and false of a whole subgroup; false if the function is none of them.
bool Interpreter::EvalVote(const ir::Expr* expr, std::span<Scalar64* const> args, Scalar64* to) {
  const BuiltinFn fn = expr->builtin();
  if (fn != BuiltinFn::kSubgroupAll && fn != BuiltinFn::kSubgroupAny && fn != BuiltinFn::kSubgroupElect &&
      fn != BuiltinFn::kSubgroupBallot) {
    return false;
  }
  for (uint32_t first = 0; first < lanes_; first += subgroup_size_) {
    const uint32_t end = std::min(lanes_, first + subgroup_size_);
    bool all = true, any = false;
    uint32_t words[4] = {};
    std::optional<uint32_t> elected;
    for (uint32_t lane = first; lane < end; ++lane) {
      if (active_[lane] == 0) continue;
      if (!elected) elected = lane;
      const bool is_true = !args.empty() && args[0][lane].i != 0;
      all = all && is_true;
      any = any || is_true;
      if (is_true) words[(lane - first) / 32] |= 1u << (lane - first) % 32;
    }
    for (uint32_t lane = first; lane < end; ++lane) {
      if (active_[lane] == 0) continue;
      if (fn == BuiltinFn::kSubgroupBallot) {
        for (size_t i = 0; i < 4; ++i) to[i * lanes_ + lane].i = words[i];
      } else {
        const bool value = fn == BuiltinFn::kSubgroupAll ? all : fn == BuiltinFn::kSubgroupAny ? any : lane == elected;
        to[lane].i = value ? 1 : 0;
      }
    }
  }
  return true;
}

/// The value that another invocation has; false if the function is none of these.
bool Interpreter::EvalExchange(const ir::Expr* expr, std::span<Scalar64* const> args, Scalar64* to) {
  const auto source_of = [&](uint32_t lane) -> std::optional<uint64_t> {
    const uint64_t first = lane - lane % subgroup_size_;
    const uint64_t self = lane - first, quad = self & ~uint64_t{3};
    const uint64_t given = args.size() > 1 ? static_cast<uint32_t>(args[1][lane].i) : 0;
    switch (expr->builtin()) {
      case BuiltinFn::kSubgroupBroadcast:
      case BuiltinFn::kSubgroupShuffle:
        return first + given;
      case BuiltinFn::kSubgroupBroadcastFirst: {
        uint64_t elected = first;
        while (active_[elected] == 0) ++elected;  // the lane itself is active
        return elected;
      }
      case BuiltinFn::kSubgroupShuffleXor:
        return first + (self ^ given);
      case BuiltinFn::kSubgroupShuffleUp:
        return given > self ? first + subgroup_size_ : lane - given;
      case BuiltinFn::kSubgroupShuffleDown:
        return first + self + given;
      case BuiltinFn::kQuadBroadcast:
        return first + quad + given;
      case BuiltinFn::kQuadSwapX:
        return first + (self ^ 1);
      case BuiltinFn::kQuadSwapY:
        return first + (self ^ 2);
      case BuiltinFn::kQuadSwapDiagonal:
        return first + (self ^ 3);
      default:
        return std::nullopt;
    }
  };
  bool is_one = true;
  EachLane([&](uint32_t lane) {
    const auto source = source_of(lane);
    is_one = is_one && source;
    if (!source || *source >= lanes_ || *source / subgroup_size_ != lane / subgroup_size_ || active_[*source] == 0)
      return;
    for (uint32_t slot = 0; slot < SlotsOf(expr->type); ++slot) {
      to[size_t{slot} * lanes_ + lane] = args[0][size_t{slot} * lanes_ + *source];
    }
  });
  return is_one;
}

bool Interpreter::EvalSubgroup(const ir::Expr* expr, std::span<Scalar64* const> args, Scalar64* to) {
  return EvalVote(expr, args, to) || EvalReduction(expr, args[0], to) || EvalExchange(expr, args, to);
}

}  // namespace kiln::run
