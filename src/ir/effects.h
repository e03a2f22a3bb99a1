// SPDX-License-Identifier: Apache-2.0
// What evaluating an expression, executing a statement or calling a function may do besides making a value. Passes ask
// before they move, drop, repeat or merge anything; emitters ask for what a stage needs. May, not must: a bit that is
// absent is a promise.
#pragma once

#include <cstdint>
#include <span>

#include "core/builtin.h"

namespace kiln::ir {

struct Block;
struct Expr;
struct Function;
struct Module;
struct Stmt;

class Effects {
 public:
  enum Bit : uint32_t {
    // Reads of memory that something may write. Uniform and immediate memory, sampled textures and samplers never
    // change while a shader runs, so they are not here.
    kReadsFunction = 1 << 0,  // variables of functions: of a callee, those that a pointer parameter leads to
    kReadsPrivate = 1 << 1,
    kReadsWorkgroup = 1 << 2,
    kReadsStorage = 1 << 3,  // storage buffers and storage textures
    kWritesFunction = 1 << 4,
    kWritesPrivate = 1 << 5,
    kWritesWorkgroup = 1 << 6,
    kWritesStorage = 1 << 7,
    kAtomic = 1 << 8,            // besides the bits of what it reads and writes
    kBarrier = 1 << 9,           // waits for other invocations; orders memory; needs uniform control flow
    kDerivative = 1 << 10,       // reads the neighbours of a quad: derivatives, implicit-LOD sampling
    kSubgroup = 1 << 11,         // reads other invocations of the subgroup or quad
    kDiscard = 1 << 12,          // may demote the invocation to a helper
    kMayNotTerminate = 1 << 13,  // has a loop for which no bound is known
    // Control that leaves a statement other than at its end. Never set for a function or an expression.
    kLeaves = 1 << 14,  // break, continue, return
  };
  static constexpr uint32_t kReads = kReadsFunction | kReadsPrivate | kReadsWorkgroup | kReadsStorage;
  static constexpr uint32_t kWrites = kWritesFunction | kWritesPrivate | kWritesWorkgroup | kWritesStorage;
  /// Depends on where in the program, or beside which other invocations, it is executed.
  static constexpr uint32_t kPlaced =
      kAtomic | kBarrier | kDerivative | kSubgroup | kDiscard | kMayNotTerminate | kLeaves;

  constexpr Effects() = default;
  constexpr explicit Effects(uint32_t bits) : bits_(bits) {}

  constexpr uint32_t bits() const { return bits_; }
  constexpr bool Has(uint32_t any_of) const { return (bits_ & any_of) != 0; }
  constexpr Effects Without(uint32_t bits) const { return Effects(bits_ & ~bits); }
  constexpr void Add(Effects other) { bits_ |= other.bits_; }
  constexpr void Add(Bit bit) { bits_ |= bit; }

  /// Same value whenever and however often it is evaluated; nobody can tell.
  constexpr bool IsPure() const { return bits_ == 0; }
  /// An unused value of it may be dropped.
  constexpr bool IsDroppable() const {
    return !Has(kWrites | kAtomic | kBarrier | kDiscard | kMayNotTerminate | kLeaves);
  }
  /// `*this` and then `next` does the same as `next` and then `*this`.
  constexpr bool CommutesWith(Effects next) const {
    if (Has(kPlaced) || next.Has(kPlaced)) return IsPure() || next.IsPure();
    return (((bits_ & kWrites) >> 4) & next.bits_ & kReads) == 0 &&
           ((bits_ & kReads) & ((next.bits_ & kWrites) >> 4)) == 0 && (bits_ & next.bits_ & kWrites) == 0;
  }

  friend constexpr bool operator==(Effects, Effects) = default;

 private:
  uint32_t bits_ = 0;
};

/// Of one call, without its arguments.
Effects EffectsOfBuiltin(core::BuiltinFn builtin);
/// Of the whole tree. Reads Function::effects of callees.
Effects EffectsOf(const Expr& expr);
/// Of everything inside, nested blocks too. kLeaves only for what leaves the statement or block itself.
Effects EffectsOf(const Stmt& stmt);
Effects EffectsOf(const Block& block);

/// Sets Function::effects of every function.
void ComputeEffects(Module& module);
/// As above where the order is known: callees before callers, all functions, no cycles.
void ComputeEffects(std::span<Function* const> callees_first);

}  // namespace kiln::ir
