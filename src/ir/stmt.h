// SPDX-License-Identifier: Apache-2.0
// Statements of the IR, and the blocks that hold them. A block is a list linked through its statements, so that a
// pass inserts and removes without copying. A statement is in exactly one block. Control flow is structured: there is
// no goto, and what a `break` or `continue` leaves is the innermost statement that it may leave.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/enums.h"
#include "ir/expr.h"

namespace kiln::ir {

struct Let;
struct Stmt;
struct Var;

enum class StmtKind : uint8_t {
  kLet,       // evaluates once, names the value
  kVar,       // a fresh function variable, each time it is executed; zero without an initialiser
  kStore,     // evaluates the pointer, then the value, then writes
  kEval,      // evaluates for the effects, drops the value
  kIf,        //
  kSwitch,    // no fall through: the end of a case leaves the switch
  kLoop,      // body, continuing, body, ... until something leaves it
  kBlock,     // a nested scope
  kBreak,     // leaves the innermost loop or switch
  kContinue,  // goes to the continuing block of the innermost loop
  kReturn,    // leaves the function
  kDiscard,   // demotes the invocation to a helper and goes on
};

/// How severe what a rule finds is, in the module or the block that has it: https://www.w3.org/TR/WGSL/#diagnostics.
struct DiagnosticFilter {
  core::FilterSeverity severity;
  std::string_view rule;  // as "derivative_uniformity" or "vendor.rule"
};

struct Block {
  Stmt* first = nullptr;
  Stmt* last = nullptr;
  /// For all that is in the block; that of a loop's body holds for its continuing block too.
  std::span<const DiagnosticFilter> filters;

  bool is_empty() const { return first == nullptr; }
  void Append(Stmt* stmt);
  /// `before` null: at the end.
  void InsertBefore(Stmt* before, Stmt* stmt);
  /// Takes `stmt`, which is in this block, out; the node stays usable.
  void Remove(Stmt* stmt);
  /// Moves every statement of `from` before `before` (null: to the end). `from` is empty afterwards.
  void Splice(Stmt* before, Block& from);

  /// for (Stmt* stmt : block). The current statement may be removed, and others inserted, inside the loop: what comes
  /// next is read before the body of the loop runs.
  class Iterator {
   public:
    explicit Iterator(Stmt* at);
    Stmt* operator*() const { return at_; }
    Iterator& operator++();
    friend bool operator!=(const Iterator& a, const Iterator& b) { return a.at_ != b.at_; }

   private:
    Stmt* at_;
    Stmt* next_;
  };
  Iterator begin() const { return Iterator(first); }
  Iterator end() const { return Iterator(nullptr); }
};

struct Stmt {
  StmtKind kind;
  diag::Range range;
  Block* block = nullptr;  // that holds it
  Stmt* previous = nullptr;
  Stmt* next = nullptr;

  bool Is(StmtKind k) const { return kind == k; }
  /// The statement as its own struct: `stmt->As<IfStmt>()`; checked.
  template <typename T>
  T* As() {
    KILN_CHECK(kind == T::kKind);
    return static_cast<T*>(this);
  }
  template <typename T>
  const T* As() const {
    KILN_CHECK(kind == T::kKind);
    return static_cast<const T*>(this);
  }
};

struct LetStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kLet;
  Let* let = nullptr;
  Expr* value = nullptr;
};

struct VarStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kVar;
  Var* var = nullptr;  // the initialiser is var->init
};

struct StoreStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kStore;
  Expr* pointer = nullptr;
  Expr* value = nullptr;
};

struct EvalStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kEval;
  Expr* value = nullptr;
};

struct IfStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kIf;
  Expr* condition = nullptr;
  Block then_block;
  Block else_block;  // `else if` is an else block with one if
};

struct Case {
  std::span<const core::Constant*> selectors;
  bool is_default = false;  // may have selectors besides
  diag::Range range;
  Block block;
};

struct SwitchStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kSwitch;
  Expr* selector = nullptr;
  std::span<Case> cases;  // exactly one is the default; each ends by leaving the switch
};

/// `for` and `while` are this too: a body that begins with `if (!condition) { break; }`. MatchForLoop (ir/loops.h)
/// finds them again.
struct LoopStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kLoop;
  Block body;
  Block continuing;          // sees what the body declares; may not leave the loop but by break_if
  Expr* break_if = nullptr;  // evaluated at the end of continuing; null: never leaves there
};

struct BlockStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kBlock;
  Block body;
};

struct BreakStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kBreak;
};

struct ContinueStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kContinue;
};

struct ReturnStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kReturn;
  Expr* value = nullptr;  // null for a function without a result
};

struct DiscardStmt : Stmt {
  static constexpr StmtKind kKind = StmtKind::kDiscard;
};

inline Block::Iterator::Iterator(Stmt* at) : at_(at), next_(at ? at->next : nullptr) {}
inline Block::Iterator& Block::Iterator::operator++() {
  at_ = next_;
  next_ = at_ ? at_->next : nullptr;
  return *this;
}
inline void Block::Append(Stmt* stmt) {
  stmt->block = this;
  stmt->previous = last;
  stmt->next = nullptr;
  (last ? last->next : first) = stmt;
  last = stmt;
}

}  // namespace kiln::ir
