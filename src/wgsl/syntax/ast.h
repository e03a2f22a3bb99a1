// SPDX-License-Identifier: Apache-2.0
// The abstract syntax tree of one WGSL module, made by Parse (parse.h) in an arena and annotated by the resolver.
// Nodes are trivially destructible, carry a kind and a range, and are told apart by Is/TryAs/As or Visit (visit.h).
// What always holds after a parse without errors: every pointer that is not documented as optional is set; names are
// interned but unresolved; precedence has been applied and checked; the tree is no deeper than the limits in parse.h,
// so recursion over it is safe. Fields under "Annotations" start empty and belong to wgsl/resolve and wgsl/validate.
#pragma once

#include <cstdint>

#include "base/arena.h"
#include "base/check.h"
#include "base/names.h"
#include "diag/source.h"

namespace kiln::core {
struct Type;
struct Constant;
}  // namespace kiln::core

namespace kiln::wgsl::ast {

// Expressions, statements, declarations and directives stand in that order, so that a group is a range of kinds.
#define KILN_AST_EXPRESSIONS(X) X(Literal) X(Ident) X(Call) X(Unary) X(Binary) X(Index) X(Member) X(DefaultSelector)
// clang-format off
#define KILN_AST_STATEMENTS(X) \
  X(Block) \
  X(DeclStmt) \
  X(Assign) \
  X(Increment) \
  X(CallStmt) \
  X(If) \
  X(Switch) \
  X(Loop) \
  X(For) \
  X(While) \
  X(Break) \
  X(BreakIf) \
  X(Continue) \
  X(Return) \
  X(Discard) \
  X(ConstAssert)
// clang-format on
#define KILN_AST_DECLARATIONS(X) X(Variable) X(Function) X(Struct) X(StructMember) X(Alias)
#define KILN_AST_OTHERS(X) X(EnableDirective) X(RequiresDirective) X(DiagnosticDirective) X(Attribute) X(Case)

enum class Kind : uint8_t {
#define KILN_KIND(name) k##name,
  KILN_AST_EXPRESSIONS(KILN_KIND) KILN_AST_STATEMENTS(KILN_KIND) KILN_AST_DECLARATIONS(KILN_KIND)
      KILN_AST_OTHERS(KILN_KIND)
#undef KILN_KIND
};

/// "Binary", "If", ...: for messages of broken invariants and for dumps.
const char* KindName(Kind kind);

struct Node {
  diag::Range range;
  const Kind kind;

  template <typename T>
  bool Is() const {
    return T::Holds(kind);
  }
  /// Null where the node is something else.
  template <typename T>
  T* TryAs() {
    return T::Holds(kind) ? static_cast<T*>(this) : nullptr;
  }
  template <typename T>
  const T* TryAs() const {
    return T::Holds(kind) ? static_cast<const T*>(this) : nullptr;
  }
  /// Aborts where the node is something else.
  template <typename T>
  T* As() {
    KILN_CHECK(T::Holds(kind));
    return static_cast<T*>(this);
  }
  template <typename T>
  const T* As() const {
    KILN_CHECK(T::Holds(kind));
    return static_cast<const T*>(this);
  }

 protected:
  Node(Kind k, diag::Range r) : range(r), kind(k) {}
};

/// An immutable array of nodes in the arena; eight bytes.
template <typename T>
class List {
 public:
  List() = default;
  static List Copy(Arena& arena, T* const* first, size_t count) {
    List list;
    if (count == 0) return list;
    void* memory = arena.Allocate(sizeof(Block) + count * sizeof(T*), alignof(Block));
    list.block_ = new (memory) Block{count};
    std::memcpy(static_cast<void*>(list.block_ + 1), first, count * sizeof(T*));
    return list;
  }

  size_t size() const { return block_ ? block_->count : 0; }
  bool empty() const { return block_ == nullptr; }
  T* const* begin() const { return block_ ? reinterpret_cast<T* const*>(block_ + 1) : nullptr; }
  T* const* end() const { return begin() + size(); }
  T* operator[](size_t index) const {
    KILN_CHECK(index < size());
    return begin()[index];
  }
  T* front() const { return (*this)[0]; }
  T* back() const { return (*this)[size() - 1]; }

 private:
  struct Block {
    size_t count;
  };
  Block* block_ = nullptr;
};

// ---------------------------------------------------------------------------------------------------- expressions

/// When the value of an expression is known (WGSL #early-eval-exprs).
enum class Phase : uint8_t { kUnresolved, kConst, kOverride, kRuntime };

struct Expr : Node {
  static bool Holds(Kind k) { return k <= Kind::kDefaultSelector; }

  // Annotations.
  Phase phase = Phase::kUnresolved;
  /// Free for the resolver: what `target` of an Ident, Call or Member is.
  uint8_t target_kind = 0;
  /// Written in parentheses: `(e)`. The range is that of e, without them.
  bool is_parenthesized = false;
  /// Height of the tree under it, 1 for a leaf; at most kMaxExpressionDepth (parse.h).
  uint16_t height = 1;
  /// Null: not resolved. Errors have a poison type of core.
  const core::Type* type = nullptr;
  /// The value, where phase is kConst (or the resolver could know it).
  const core::Constant* value = nullptr;

 protected:
  Expr(Kind k, diag::Range r) : Node(k, r) {}
};

enum class LiteralKind : uint8_t { kBool, kAbstractInt, kI32, kU32, kAbstractFloat, kF32, kF16 };

struct Literal : Expr {
  static constexpr Kind kKind = Kind::kLiteral;
  static bool Holds(Kind k) { return k == kKind; }
  Literal(diag::Range r, LiteralKind k) : Expr(kKind, r), literal_kind(k), integer(0) {}

  bool is_float() const { return literal_kind >= LiteralKind::kAbstractFloat; }

  LiteralKind literal_kind;
  union {
    int64_t integer;  // kBool (0 or 1), kAbstractInt, kI32, kU32: in the range of the type
    double number;    // kAbstractFloat; kF32 and kF16 already rounded to their type
  };
};

/// template_elaborated_ident: a name, with template arguments where there are any. Also every type in the source.
struct Ident : Expr {
  static constexpr Kind kKind = Kind::kIdent;
  static bool Holds(Kind k) { return k == kKind; }
  Ident(diag::Range r, Name n) : Expr(kKind, r), name(n) {}

  Name name;
  uint32_t name_end = 0;  // range of the name alone is {range.begin, name_end}
  List<Expr> args;        // template arguments
  // Annotations.
  /// The declaration (ast::Variable, ast::Function, ast::Struct, ast::Alias) or what the resolver knows of a
  /// predeclared object; `target_kind` tells which.
  const void* target = nullptr;

  diag::Range name_range() const { return {range.begin, name_end}; }
};

/// A function call, a value constructor or a built-in call: `callee(args)`.
struct Call : Expr {
  static constexpr Kind kKind = Kind::kCall;
  static bool Holds(Kind k) { return k == kKind; }
  Call(diag::Range r, Ident* c, List<Expr> a) : Expr(kKind, r), callee(c), args(a) {}

  Ident* callee;
  List<Expr> args;
  // Annotations.
  const void* target = nullptr;  // as Ident::target; for built-ins the overload
};

enum class UnaryOp : uint8_t { kNegate, kComplement, kNot, kAddressOf, kDeref };

struct Unary : Expr {
  static constexpr Kind kKind = Kind::kUnary;
  static bool Holds(Kind k) { return k == kKind; }
  Unary(diag::Range r, UnaryOp o, Expr* e) : Expr(kKind, r), op(o), operand(e) {}

  UnaryOp op;
  Expr* operand;
  // Annotations.
  const void* target = nullptr;
};

enum class BinaryOp : uint8_t {
  kAdd,
  kSub,
  kMul,
  kDiv,
  kMod,
  kAnd,
  kOr,
  kXor,
  kShiftLeft,
  kShiftRight,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kLogicalAnd,
  kLogicalOr,
  kNone,  // Assign::op of a plain `=`
};

struct Binary : Expr {
  static constexpr Kind kKind = Kind::kBinary;
  static bool Holds(Kind k) { return k == kKind; }
  Binary(diag::Range r, BinaryOp o, diag::Range op_r, Expr* l, Expr* rh)
      : Expr(kKind, r), op(o), op_begin(op_r.begin), lhs(l), rhs(rh) {}

  BinaryOp op;
  uint32_t op_begin;  // where the operator stands
  Expr* lhs;
  Expr* rhs;
  // Annotations.
  const void* target = nullptr;

  diag::Range op_range() const;
};

/// `object[index]`.
struct Index : Expr {
  static constexpr Kind kKind = Kind::kIndex;
  static bool Holds(Kind k) { return k == kKind; }
  Index(diag::Range r, Expr* o, Expr* i) : Expr(kKind, r), object(o), index(i) {}

  Expr* object;
  Expr* index;
};

/// `object.name`: a structure member or a swizzle.
struct Member : Expr {
  static constexpr Kind kKind = Kind::kMember;
  static bool Holds(Kind k) { return k == kKind; }
  Member(diag::Range r, Expr* o, Name n, diag::Range n_range)
      : Expr(kKind, r), name(n), object(o), name_range(n_range) {}

  Name name;
  Expr* object;
  diag::Range name_range;
  // Annotations.
  /// Structure member: its index. Swizzle: 2 bits a component, the first lowest.
  uint32_t index = 0;
  /// 0: a structure member; 1 to 4: a swizzle of so many components.
  uint8_t swizzle_size = 0;
};

/// The word `default` among the selectors of a case.
struct DefaultSelector : Expr {
  static constexpr Kind kKind = Kind::kDefaultSelector;
  static bool Holds(Kind k) { return k == kKind; }
  explicit DefaultSelector(diag::Range r) : Expr(kKind, r) {}
};

// ------------------------------------------------------------------------------------- attributes and directives

// clang-format off
#define KILN_WGSL_ATTRIBUTES(X) \
  X(Align, "align") \
  X(Binding, "binding") \
  X(BlendSrc, "blend_src") \
  X(Builtin, "builtin") \
  X(Compute, "compute") \
  X(Const, "const") \
  X(Diagnostic, "diagnostic") \
  X(Fragment, "fragment") \
  X(Group, "group") \
  X(Id, "id") \
  X(Interpolate, "interpolate") \
  X(Invariant, "invariant") \
  X(Location, "location") \
  X(MustUse, "must_use") \
  X(Size, "size") \
  X(SubgroupSize, "subgroup_size") \
  X(Vertex, "vertex") \
  X(WorkgroupSize, "workgroup_size")
// clang-format on

enum class AttributeKind : uint8_t {
#define KILN_KIND(name, text) k##name,
  KILN_WGSL_ATTRIBUTES(KILN_KIND)
#undef KILN_KIND
};
const char* AttributeName(AttributeKind kind);

/// `( severity , rule )`. The rule is `name` or `first.name`.
struct DiagnosticControl {
  Name severity;    // any of error, warning, info, off: checked by the parser
  Name rule_first;  // none: the rule has one part
  Name rule;
  diag::Range severity_range;
  diag::Range rule_range;
};

/// `@name(args)`. The number of arguments is right for the kind. The arguments of builtin and interpolate are Idents
/// whose names are not variables.
struct Attribute : Node {
  static constexpr Kind kKind = Kind::kAttribute;
  static bool Holds(Kind k) { return k == kKind; }
  Attribute(diag::Range r, AttributeKind k) : Node(kKind, r), attribute(k) {}

  AttributeKind attribute;
  List<Expr> args;
  DiagnosticControl* control = nullptr;  // of kDiagnostic, else null
};

using Attributes = List<Attribute>;

/// The first of a kind; null without.
const Attribute* Find(const Attributes& attributes, AttributeKind kind);

/// A name with its place: `enable f16, subgroups;`.
struct WordAt {
  Name name;
  diag::Range range;
};

struct EnableDirective : Node {
  static constexpr Kind kKind = Kind::kEnableDirective;
  static bool Holds(Kind k) { return k == kKind; }
  explicit EnableDirective(diag::Range r) : Node(kKind, r) {}
  std::span<const WordAt> names;
};

struct RequiresDirective : Node {
  static constexpr Kind kKind = Kind::kRequiresDirective;
  static bool Holds(Kind k) { return k == kKind; }
  explicit RequiresDirective(diag::Range r) : Node(kKind, r) {}
  std::span<const WordAt> names;
};

struct DiagnosticDirective : Node {
  static constexpr Kind kKind = Kind::kDiagnosticDirective;
  static bool Holds(Kind k) { return k == kKind; }
  explicit DiagnosticDirective(diag::Range r) : Node(kKind, r) {}
  DiagnosticControl control;
};

// ---------------------------------------------------------------------------------------------------- declarations

struct Decl : Node {
  static bool Holds(Kind k) { return k >= Kind::kVariable && k <= Kind::kAlias; }

  // Annotation: how far the resolver is (for module-scope order independence and cycles).
  uint8_t state = 0;
  uint8_t flags = 0;  // free for the resolver
  Name name;
  diag::Range name_range;
  Attributes attributes;
  // Annotation: what the resolver knows besides.
  void* info = nullptr;

 protected:
  Decl(Kind k, diag::Range r) : Node(k, r) {}
};

enum class VariableKind : uint8_t { kVar, kLet, kConst, kOverride, kParam };

/// variable_decl and value declarations of every scope, and formal parameters.
struct Variable : Decl {
  static constexpr Kind kKind = Kind::kVariable;
  static bool Holds(Kind k) { return k == kKind; }
  Variable(diag::Range r, VariableKind k) : Decl(kKind, r), variable_kind(k) {}

  VariableKind variable_kind;
  bool is_global = false;
  bool has_template = false;    // `var<...>`, even if `args` came out empty after an error
  List<Expr> args;              // of var<...>: address space, access mode
  Ident* type_expr = nullptr;   // optional
  Expr* initializer = nullptr;  // optional
  // Annotations.
  const core::Type* type = nullptr;       // the store type of a var, else the type of the value
  const core::Constant* value = nullptr;  // of const; of override its default, where known
  uint32_t index = 0;                     // free: a number within the function or module
  uint32_t slot = 0;                      // validate's: 1 and up within the function, 0 of module-scope variables
};

struct Block;

struct Function : Decl {
  static constexpr Kind kKind = Kind::kFunction;
  static bool Holds(Kind k) { return k == kKind; }
  explicit Function(diag::Range r) : Decl(kKind, r) {}

  List<Variable> params;
  Attributes return_attributes;
  Ident* return_type_expr = nullptr;  // optional
  Block* body = nullptr;
  // Annotations.
  const core::Type* return_type = nullptr;
};

struct StructMember : Decl {
  static constexpr Kind kKind = Kind::kStructMember;
  static bool Holds(Kind k) { return k == kKind; }
  explicit StructMember(diag::Range r) : Decl(kKind, r) {}

  Ident* type_expr = nullptr;
  // Annotations.
  const core::Type* type = nullptr;
};

struct Struct : Decl {
  static constexpr Kind kKind = Kind::kStruct;
  static bool Holds(Kind k) { return k == kKind; }
  explicit Struct(diag::Range r) : Decl(kKind, r) {}

  List<StructMember> members;
  // Annotations.
  const core::Type* type = nullptr;
};

struct Alias : Decl {
  static constexpr Kind kKind = Kind::kAlias;
  static bool Holds(Kind k) { return k == kKind; }
  explicit Alias(diag::Range r) : Decl(kKind, r) {}

  Ident* type_expr = nullptr;
  // Annotations.
  const core::Type* type = nullptr;
};

// ------------------------------------------------------------------------------------------------------ statements

struct Stmt : Node {
  static bool Holds(Kind k) { return k >= Kind::kBlock && k <= Kind::kConstAssert; }

  // Annotations of validate: which ways control leaves the statement (validate/behavior.h).
  uint8_t behavior = 0;

 protected:
  Stmt(Kind k, diag::Range r) : Node(k, r) {}
};

/// compound_statement. The range spans the braces.
struct Block : Stmt {
  static constexpr Kind kKind = Kind::kBlock;
  static bool Holds(Kind k) { return k == kKind; }
  explicit Block(diag::Range r) : Stmt(kKind, r) {}

  Attributes attributes;
  List<Stmt> statements;
};

/// A var, let or const in a function.
struct DeclStmt : Stmt {
  static constexpr Kind kKind = Kind::kDeclStmt;
  static bool Holds(Kind k) { return k == kKind; }
  DeclStmt(diag::Range r, Variable* v) : Stmt(kKind, r), variable(v) {}

  Variable* variable;
};

/// `lhs = rhs`, `lhs op= rhs`, `_ = rhs`.
struct Assign : Stmt {
  static constexpr Kind kKind = Kind::kAssign;
  static bool Holds(Kind k) { return k == kKind; }
  Assign(diag::Range r, Expr* l, BinaryOp o, diag::Range op_r, Expr* rh)
      : Stmt(kKind, r), op(o), lhs(l), rhs(rh), op_range(op_r) {}

  BinaryOp op;  // kNone: `=`
  Expr* lhs;    // null: `_`
  Expr* rhs;
  diag::Range op_range;
  // Annotations.
  const core::Type* type = nullptr;  // compound: the type of `lhs op rhs`
  const void* target = nullptr;      // compound: the overload
};

/// `lhs++`, `lhs--`.
struct Increment : Stmt {
  static constexpr Kind kKind = Kind::kIncrement;
  static bool Holds(Kind k) { return k == kKind; }
  Increment(diag::Range r, Expr* l, bool d) : Stmt(kKind, r), is_decrement(d), lhs(l) {}

  bool is_decrement;
  Expr* lhs;
};

struct CallStmt : Stmt {
  static constexpr Kind kKind = Kind::kCallStmt;
  static bool Holds(Kind k) { return k == kKind; }
  CallStmt(diag::Range r, Call* c) : Stmt(kKind, r), call(c) {}

  Call* call;
};

/// One `if` or `else if` with its block.
struct IfArm {
  diag::Range range;
  Expr* condition;
  Block* body;
};

/// An if with all its else-ifs, flat, so that long chains are not deep.
struct If : Stmt {
  static constexpr Kind kKind = Kind::kIf;
  static bool Holds(Kind k) { return k == kKind; }
  explicit If(diag::Range r) : Stmt(kKind, r) {}

  Attributes attributes;
  std::span<const IfArm> arms;  // at least one
  Block* else_body = nullptr;   // optional
};

/// switch_clause. The body's range spans its braces.
struct Case : Node {
  static constexpr Kind kKind = Kind::kCase;
  static bool Holds(Kind k) { return k == kKind; }
  explicit Case(diag::Range r) : Node(kKind, r) {}

  bool is_default_clause = false;  // `default { }` rather than `case default { }`
  List<Expr> selectors;            // at least one; a DefaultSelector stands for `default`
  Block* body = nullptr;
};

struct Switch : Stmt {
  static constexpr Kind kKind = Kind::kSwitch;
  static bool Holds(Kind k) { return k == kKind; }
  explicit Switch(diag::Range r) : Stmt(kKind, r) {}

  Attributes attributes;
  Attributes body_attributes;
  Expr* condition = nullptr;
  List<Case> cases;
  // Annotations.
  const core::Type* type = nullptr;  // the common type of condition and selectors
};

/// `loop { body continuing { ... break if c; } }`. The body does not hold the continuing block; a BreakIf stands last
/// in the continuing block and nowhere else.
struct Loop : Stmt {
  static constexpr Kind kKind = Kind::kLoop;
  static bool Holds(Kind k) { return k == kKind; }
  explicit Loop(diag::Range r) : Stmt(kKind, r) {}

  Attributes attributes;
  Block* body = nullptr;        // its attributes are those before `{`
  Block* continuing = nullptr;  // optional
};

struct For : Stmt {
  static constexpr Kind kKind = Kind::kFor;
  static bool Holds(Kind k) { return k == kKind; }
  explicit For(diag::Range r) : Stmt(kKind, r) {}

  Attributes attributes;
  Stmt* init = nullptr;       // optional: DeclStmt, Assign, Increment, CallStmt
  Expr* condition = nullptr;  // optional
  Stmt* update = nullptr;     // optional: Assign, Increment, CallStmt
  Block* body = nullptr;
};

struct While : Stmt {
  static constexpr Kind kKind = Kind::kWhile;
  static bool Holds(Kind k) { return k == kKind; }
  explicit While(diag::Range r) : Stmt(kKind, r) {}

  Attributes attributes;
  Expr* condition = nullptr;
  Block* body = nullptr;
};

struct Break : Stmt {
  static constexpr Kind kKind = Kind::kBreak;
  static bool Holds(Kind k) { return k == kKind; }
  explicit Break(diag::Range r) : Stmt(kKind, r) {}
};

struct BreakIf : Stmt {
  static constexpr Kind kKind = Kind::kBreakIf;
  static bool Holds(Kind k) { return k == kKind; }
  BreakIf(diag::Range r, Expr* c) : Stmt(kKind, r), condition(c) {}
  Expr* condition;
};

struct Continue : Stmt {
  static constexpr Kind kKind = Kind::kContinue;
  static bool Holds(Kind k) { return k == kKind; }
  explicit Continue(diag::Range r) : Stmt(kKind, r) {}
};

struct Return : Stmt {
  static constexpr Kind kKind = Kind::kReturn;
  static bool Holds(Kind k) { return k == kKind; }
  Return(diag::Range r, Expr* v) : Stmt(kKind, r), value(v) {}
  Expr* value;  // optional
};

struct Discard : Stmt {
  static constexpr Kind kKind = Kind::kDiscard;
  static bool Holds(Kind k) { return k == kKind; }
  explicit Discard(diag::Range r) : Stmt(kKind, r) {}
};

/// In a function or at module scope.
struct ConstAssert : Stmt {
  static constexpr Kind kKind = Kind::kConstAssert;
  static bool Holds(Kind k) { return k == kKind; }
  ConstAssert(diag::Range r, Expr* c) : Stmt(kKind, r), condition(c) {}
  Expr* condition;
};

// ---------------------------------------------------------------------------------------------------------- module

/// translation_unit. Owned by the arena it was parsed into.
struct Module {
  diag::Range range;
  List<Node> directives;  // EnableDirective, RequiresDirective, DiagnosticDirective
  List<Node> decls;       // Decl and ConstAssert, in source order
  bool has_diagnostic_attributes = false;  // anywhere
  /// What was parsed, as long as its source file lives, and where ranges begin in it.
  std::string_view text;
  uint32_t base = 0;

  std::string_view TextOf(diag::Range of) const { return text.substr(of.begin - base, of.end - of.begin); }
};

}  // namespace kiln::wgsl::ast
