// SPDX-License-Identifier: Apache-2.0
// The state of one run, private to this folder. Its methods stand in one file a subject: interpreter.cc (entry point,
// statements), memory.cc (pointers, loads, stores), expressions.cc, builtins.cc, subgroups.cc.
//
// A value is an array of scalars (Scalar64), each once a lane: scalar s of lane l at [s * lanes + l]. Vectors,
// matrices, arrays and structures are their scalars one after the other. f32 and f16 are doubles that the type can
// hold.
#pragma once

#include <cstring>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/eval.h"
#include "run/run.h"

namespace kiln::run {

using core::Scalar64;
using Mask = std::vector<uint8_t>;  // one a lane

/// Memory of variables. A buffer is bytes; everything else scalars, shared by the workgroup or once a lane.
struct Memory {
  bool is_bytes = false;
  bool is_shared = false;
  std::vector<Scalar64> scalars;
  std::span<std::byte> bytes;
  std::vector<std::byte> own_bytes;  // of a buffer in workgroup memory
};

/// A place in memory, for each lane: a scalar's number, or a byte.
struct Pointer {
  Memory* memory = nullptr;
  const core::Type* store = nullptr;
  std::vector<uint64_t> at;
  /// Views of buffers without a fixed footprint: the first byte behind.
  std::vector<uint64_t> end;
  /// Of a pointer to a buffer: its size, as parameters on the way said.
  uint64_t limit = 0;
};

/// Invocations of a subgroup where the entry point does not say it.
inline constexpr uint32_t kSubgroupSize = 8;

/// Expressions, blocks and calls within each other. They use the thread's stack: less than 1 MiB at this depth.
inline constexpr uint32_t kMostDepth = 2000;

class Interpreter {
 public:
  Interpreter(const ir::Module& module, const Options& options, diag::Sink& sink);
  Result<uint64_t> Run();

 private:
  // ------------------------------------------------------------------------------------------------ interpreter.cc
  const ir::Function* FindEntryPoint();
  bool BindBuffers();
  void BeginWorkgroup(const ir::Function& entry, std::array<uint32_t, 3> group);
  void Give(Scalar64* to, const core::IoAttributes& io);
  const core::Constant* Known(const ir::Expr* expr);
  void Exec(const ir::Block& block);
  void ExecStmt(const ir::Stmt* stmt);
  void ExecIf(const ir::IfStmt& stmt);
  void ExecSwitch(const ir::SwitchStmt& stmt);
  void ExecLoop(const ir::LoopStmt& stmt);
  void ExecReturn(const ir::Expr* value);
  void Define(const ir::Decl* decl, const ir::Expr* value);

  // ----------------------------------------------------------------------------------------------------- memory.cc
  uint32_t SlotsOf(const core::Type* type);
  Memory* MemoryOf(const ir::Var* var);
  bool Resize(Memory& memory, uint64_t scalars);
  Pointer PointerOf(const ir::Expr* expr);
  Pointer ViewOf(const ir::Expr* expr);
  void Step(Pointer& pointer, const ir::Expr* index);
  void StepMember(Pointer& pointer, uint32_t member);
  uint64_t RuntimeCount(const Pointer& pointer, uint32_t lane);
  uint32_t CountOf(const core::Type* type);
  void Load(const Pointer& pointer, Scalar64* to);
  void Store(const Pointer& pointer, const Scalar64* from);
  Scalar64 LoadScalar(const Pointer& pointer, const core::Type* type, uint32_t lane);
  void StoreScalar(const Pointer& pointer, const core::Type* type, uint32_t lane, Scalar64 value);
  void ReadBytes(std::span<const std::byte> bytes, uint64_t at, const core::Type* type, Scalar64* to, uint32_t lane);
  void WriteBytes(std::span<std::byte> bytes, uint64_t at, const core::Type* type, const Scalar64* from, uint32_t lane);

  // ------------------------------------------------------------------------------------------------ expressions.cc
  /// The value, in scratch memory that lives until the end of the statement.
  Scalar64* Eval(const ir::Expr* expr);
  void EvalConstant(const core::Constant* constant, Scalar64* to);
  void EvalUnary(const ir::Expr* expr, Scalar64* to);
  void EvalBinary(const ir::Expr* expr, Scalar64* to);
  void EvalProduct(const ir::Expr* expr, const Scalar64* a, const Scalar64* b, Scalar64* to);
  void EvalLogical(const ir::Expr* expr, Scalar64* to);
  void EvalIndex(const ir::Expr* expr, Scalar64* to);
  void EvalConstruct(const ir::Expr* expr, Scalar64* to);
  void EvalConvert(const ir::Expr* expr, Scalar64* to);
  void EvalBitcast(const ir::Expr* expr, Scalar64* to);
  void EvalCall(const ir::Expr* expr, Scalar64* to);
  Scalar64 Operate(core::BinaryOp op, const core::Type* operand, Scalar64 a, Scalar64 b);
  Scalar64 ConvertScalar(Scalar64 value, const core::Type* from, const core::Type* to);

  // --------------------------------------------------------------------------------------------------- builtins.cc
  void EvalBuiltin(const ir::Expr* expr, Scalar64* to);
  void EvalAtomic(const ir::Expr* expr, Scalar64* to);
  bool EvalFloat(const ir::Expr* expr, std::span<Scalar64* const> args, Scalar64* to);
  bool EvalWhole(const ir::Expr* expr, std::span<Scalar64* const> args, Scalar64* to);
  bool EvalInteger(const ir::Expr* expr, std::span<Scalar64* const> args, Scalar64* to);
  void EvalAsConstant(const ir::Expr* expr, std::span<Scalar64* const> args, Scalar64* to);
  const core::Constant* ToConstant(const core::Type* type, const Scalar64* from, uint32_t lane);
  void FromConstant(const core::Constant* constant, Scalar64* to, uint32_t lane);

  // -------------------------------------------------------------------------------------------------- subgroups.cc
  bool EvalSubgroup(const ir::Expr* expr, std::span<Scalar64* const> args, Scalar64* to);
  bool EvalReduction(const ir::Expr* expr, const Scalar64* from, Scalar64* to);
  bool EvalVote(const ir::Expr* expr, std::span<Scalar64* const> args, Scalar64* to);
  bool EvalExchange(const ir::Expr* expr, std::span<Scalar64* const> args, Scalar64* to);

  // --------------------------------------------------------------------------------------------------------- common
  Scalar64* Scratch(uint32_t slots);
  void Fault(diag::Range range, diag::Code code, const std::string& message);
  bool AnyActive() const { return std::memchr(active_.data(), 1, active_.size()) != nullptr; }
  static double Round(const core::Type* scalar, double value) {
    if (scalar->Is(core::TypeKind::kF16)) return core::RoundToF16(value);
    return static_cast<double>(static_cast<float>(value));
  }
  template <typename F>
  void EachLane(F f) {
    for (uint32_t lane = 0; lane < lanes_; ++lane) {
      if (active_[lane] != 0) f(lane);
    }
  }

  const ir::Module& module_;
  const Options& options_;
  diag::Sink& sink_;
  core::TypeTable& types_;

  uint32_t lanes_ = 1;
  uint32_t subgroup_size_ = kSubgroupSize;
  std::array<uint32_t, 3> size_ = {1, 1, 1};
  std::array<uint32_t, 3> group_ = {0, 0, 0};
  Mask active_;
  Mask* breaks_ = nullptr;      // of the innermost loop or switch
  Mask* continues_ = nullptr;   // of the innermost loop
  Scalar64* result_ = nullptr;  // of the function that runs

  // By Decl::id. WGSL has no recursion, so each has one place.
  std::vector<std::vector<Scalar64>> values_;
  std::vector<Pointer> pointers_;
  std::vector<std::unique_ptr<Memory>> memories_;
  std::unordered_map<const core::Type*, uint32_t> slots_;
  std::unordered_map<const ir::Expr*, const core::Constant*> known_;

  /// Blocks of scratch memory; statements give back what they took.
  std::vector<std::vector<Scalar64>> scratch_;
  size_t scratch_block_ = 0, scratch_used_ = 0;

  std::unique_ptr<Arena> temporary_;  // of constants on the way through core's evaluator
  uint64_t steps_ = 0;
  uint64_t memory_ = 0;
  uint32_t depth_ = 0;
  bool has_failed_ = false;
};

}  // namespace kiln::run
