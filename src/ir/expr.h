// SPDX-License-Identifier: Apache-2.0
// Expressions of the IR: typed trees. Every expression is one small node of one shape (kind, type, range, payload,
// operands), so that a walk or a rewrite needs no case per kind: `for (Expr*& operand : e->operands())`.
// Nodes are made by Builder (builder.h), live in the module's arena and have exactly one place in the module: a tree,
// never a graph. When an expression is evaluated, and in which order, is said in docs/ir.md.
#pragma once

#include <cstdint>
#include <span>

#include "base/check.h"
#include "core/builtin.h"
#include "core/constant.h"
#include "core/type.h"
#include "diag/source.h"

namespace kiln::ir {

struct Decl;
struct Function;
struct NamedConst;

// clang-format off
enum class ExprKind : uint8_t {
  kConstant,    // no operands; the constant, and the named constant it was written as (or null)
  kRef,         // no operands; a Param, Let, Var or Override. A Var gives its pointer, everything else its value
  kLoad,        // [pointer] reads memory (or fetches a texture or sampler handle)
  kIndex,       // [base, index] base a pointer: pointer to the element; base a value: the element
  kMember,      // [base] the member of a structure; pointer to pointer, value to value
  kSwizzle,     // [vector value] one to four components; one gives the scalar
  kUnary,       // [operand] core::UnaryOp
  kBinary,      // [lhs, rhs] core::BinaryOp but the two logical ones; both are evaluated, lhs first
  kLogicalAnd,  // [lhs, rhs] bool; rhs is evaluated only if lhs is true
  kLogicalOr,   // [lhs, rhs] bool; rhs is evaluated only if lhs is false
  kConstruct,   // [parts...] a composite from its parts; for a vector one scalar means a splat
  kConvert,     // [value] value conversion of a scalar, or component by component of a vector or matrix
  kBitcast,     // [value] the same bits as another type
  kBuiltin,     // [arguments...] a built-in function of core's table
  kCall,        // [arguments...] a function of this module
};
// clang-format on

/// Up to four vector components, each 0 to 3.
struct Swizzle {
  uint8_t count = 0;
  uint8_t component[4] = {};
  friend bool operator==(const Swizzle&, const Swizzle&) = default;
};

struct Expr {
  ExprKind kind;
  uint8_t op;                  // core::UnaryOp or core::BinaryOp; kConstant: 1 with a name
  uint32_t operand_count = 0;  // operands follow the node in memory
  const core::Type* type;      // never null; void only for the call of a function without a result
  diag::Range range;
  union Payload {
    const core::Constant* constant;
    Decl* decl;
    Function* callee;
    core::BuiltinFn builtin;
    uint32_t member;
    Swizzle swizzle;
  } payload;  // use the accessors below, which check the kind

  bool Is(ExprKind k) const { return kind == k; }

  std::span<Expr*> operands() { return {reinterpret_cast<Expr**>(this + 1), operand_count}; }
  std::span<Expr* const> operands() const { return {reinterpret_cast<Expr* const*>(this + 1), operand_count}; }
  Expr*& operand(uint32_t i) {
    KILN_CHECK(i < operand_count);
    return reinterpret_cast<Expr**>(this + 1)[i];
  }
  Expr* operand(uint32_t i) const {
    KILN_CHECK(i < operand_count);
    return reinterpret_cast<Expr* const*>(this + 1)[i];
  }

  const core::Constant* constant() const { return Check(ExprKind::kConstant).constant; }
  /// The named constant that the source wrote here, for printers; null mostly. The value is in constant() too.
  NamedConst* constant_name() const {
    Check(ExprKind::kConstant);
    return op ? *reinterpret_cast<NamedConst* const*>(this + 1) : nullptr;
  }
  Decl* decl() const { return Check(ExprKind::kRef).decl; }
  uint32_t member() const { return Check(ExprKind::kMember).member; }
  Swizzle swizzle() const { return Check(ExprKind::kSwizzle).swizzle; }
  core::BuiltinFn builtin() const { return Check(ExprKind::kBuiltin).builtin; }
  Function* callee() const { return Check(ExprKind::kCall).callee; }
  core::UnaryOp unary_op() const {
    Check(ExprKind::kUnary);
    return static_cast<core::UnaryOp>(op);
  }
  core::BinaryOp binary_op() const {
    Check(ExprKind::kBinary);
    return static_cast<core::BinaryOp>(op);
  }

 private:
  const Payload& Check(ExprKind k) const {
    KILN_CHECK(kind == k);
    return payload;
  }
};

}  // namespace kiln::ir
