// SPDX-License-Identifier: Apache-2.0
// The state of one Resolve and its parts; private to wgsl/resolve. One .cc file holds one subject: globals, structs,
// functions, attributes, types, statements, and expr_*.cc a kind of expression each.
//
// Module-scope declarations are resolved when they are first needed: EnsureResolved recurses from a use to the
// declaration, with the busy ones on a stack, so that a cycle is found where it closes. Function bodies are not needed
// by their callers and are resolved afterwards, in source order. Local names are bound in an array indexed by name,
// with an undo log; while a module-scope declaration is resolved from inside a body, local names are out of sight.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/arena.h"
#include "base/names.h"
#include "core/builtin.h"
#include "core/constant.h"
#include "core/eval.h"
#include "core/predeclared.h"
#include "core/type_table.h"
#include "diag/sink.h"
#include "wgsl/resolve/info.h"
#include "wgsl/resolve/resolve.h"
#include "wgsl/resolve/suggest.h"
#include "wgsl/syntax/ast.h"
#include "wgsl/syntax/words.h"

namespace kiln::wgsl::resolve {

using core::Type;
using core::TypeKind;

/// Decl::state of module-scope declarations.
enum DeclState : uint8_t { kNew, kBusy, kDone };

/// Decl::flags.
enum DeclFlag : uint8_t {
  kInCycle = 1 << 0,     ///< takes part in a cycle that was reported
  kOnFarStack = 1 << 1,  ///< see Resolver::ResolveFar
};

/// After so many errors the resolver gives up: more would hardly be read.
inline constexpr size_t kMaxErrors = 100;

/// How many scalars a constant may be made of, written out.
inline constexpr double kMaxScalars = 1 << 20;

/// How deep expressions may be nested through declarations that wait for one another; bounds the stack.
inline constexpr uint32_t kMaxPendingDepth = 384;

/// What a name denotes where it stands: a declaration of the module, else something predeclared, else nothing.
struct Denoted {
  ast::Decl* decl = nullptr;
  const core::Predeclared* predeclared = nullptr;
};

/// Where an attribute stands.
enum class Place : uint8_t {
  kVariable,
  kLocal,
  kOverride,
  kConst,
  kFunction,
  kParam,
  kReturn,
  kMember,
  kStatement,
  kOther
};

class Resolver {
 public:
  Resolver(ast::Module& module, const NameTable& names, core::TypeTable& types, Arena& arena, diag::Sink& sink,
           const Options& options);
  Result<ModuleInfo*> Run();

  /// Textures, samplers and what else lives in the address space `handle`.
  static bool IsHandle(const Type* type);
  static bool HoldsArray(const Type* type);

 private:
  using Range = diag::Range;
  using Builder = diag::Sink::Builder;

  // ------------------------------------------------------------------------------------------------ resolver.cc
  void ResolveDirectives();
  void DeclareGlobals();
  Builder Error(Range range, diag::Code code) { return sink_.Error(range, code); }
  std::string_view Text(Name name) const { return names_.Text(name); }
  std::string Quoted(Name name) const;
  static std::string Quoted(const Type* type);

  // Names.
  Denoted Lookup(Name name) const;
  /// Says that nothing has the name, with a near miss.
  void ReportUnresolved(Name name, Range range, bool is_type = false);
  std::string_view NearMiss(Name name) const;
  /// Whether what the name needs is enabled; reports.
  bool CheckAvailable(const core::Predeclared& predeclared, Name name, Range range);
  bool CheckExtension(core::Extension extension, core::LanguageFeature feature, std::string_view what, Range range);
  /// "is a function", "is a type", ... for messages.
  static std::string_view WhatIs(const Denoted& denoted);
  void NoteDeclared(Builder& builder, const Denoted& denoted) const;

  // Local scopes.
  void PushScope() { scope_starts_.push_back(static_cast<uint32_t>(undo_.size())); }
  void PopScope();
  /// Binds a local name from here to the end of the scope; reports a redeclaration.
  void Bind(ast::Decl* decl);

  // ------------------------------------------------------------------------------------------------- globals.cc
  /// Resolves a module-scope declaration (of a function: its signature). `use` is where it was needed.
  void EnsureResolved(ast::Decl* decl, Range use);
  void ResolveDecl(ast::Decl* decl);
  void ResolveFar(ast::Decl* decl);
  void ReportCycle(size_t start);
  void ResolveAlias(ast::Alias* alias);
  void ResolveConstAssert(ast::ConstAssert* stmt);
  void Mention(ast::Decl* decl);
  void MentionVariable(ast::Variable* variable);
  std::span<ast::Variable* const> TakeDeps();

  // ----------------------------------------------------------------------------------------------- variables.cc
  void ResolveGlobalVariable(ast::Variable* variable);
  void ResolveOverride(ast::Variable* variable);
  void ResolveGlobalVar(ast::Variable* variable);
  /// A const of any scope.
  void ResolveConst(ast::Variable* variable);
  /// The declared type and the initialiser brought together: sets variable->type. False after an error.
  bool ResolveTypeAndInitializer(ast::Variable* variable, std::string_view what);
  /// Address space and access mode from var<...>.
  bool ResolveVarTemplate(ast::Variable* variable, VariableInfo* info);
  bool CheckVarType(ast::Variable* variable, const VariableInfo& info);
  /// Whether `store` may be in `space`, also behind a pointer; reports.
  bool CheckStore(const Type* store, core::AddressSpace space, core::Access access, Range range, std::string_view what);
  static std::string_view Describe(ast::VariableKind kind);

  // ------------------------------------------------------------------------------------------------- structs.cc
  void ResolveStruct(ast::Struct* decl);
  bool ResolveMember(ast::Struct* decl, ast::StructMember* member, core::MemberSpec& spec, bool is_last);
  bool CheckMemberNames(const ast::Struct* decl);
  static void MarkHostVisible(const Type* type);
  /// Marks structures as seen by the host, and checks the layout that `space` asks for.
  bool CheckLayoutIn(const Type* type, core::AddressSpace space, Range range);

  // ----------------------------------------------------------------------------------------------- functions.cc
  void ResolveSignature(ast::Function* function);
  void ResolveParam(ast::Function* function, ast::Variable* param);
  void ResolveBody(ast::Function* function);
  void ResolveEntryPointAttributes(ast::Function* function, FunctionInfo* info);
  void ResolveWorkgroupSize(const ast::Attribute* attribute, FunctionInfo* info);
  void ResolveSubgroupSize(const ast::Attribute* attribute, FunctionInfo* info);

  // ------------------------------------------------------------------------------------------------- order.cc
  void OrderFunctions();
  void CloseEntryPoints();

  // ----------------------------------------------------------------------------------------------- attributes.cc
  /// Checks that each attribute may stand there and is not repeated. False if one was wrong.
  bool CheckAttributes(const ast::Attributes& attributes, Place place);
  void ResolveIo(const ast::Attributes& attributes, core::IoAttributes& io);
  void ResolveBuiltinAttribute(const ast::Attribute* attribute, core::IoAttributes& io);
  void ResolveInterpolateAttribute(const ast::Attribute* attribute, core::IoAttributes& io);
  /// The argument of an attribute as a const integer; false after an error.
  bool ConstInteger(const ast::Attribute* attribute, int64_t least, int64_t& value);

  // ---------------------------------------------------------------------------------------------------- types.cc
  /// The type that an expression in a type position denotes; poison after an error, which is reported.
  const Type* TypeOf(ast::Expr* expr);
  const Type* DenotedType(ast::Ident* ident, const Denoted& denoted);
  const Type* Generate(ast::Ident* ident, core::TypeGenerator generator);
  const Type* GenerateSampledTexture(ast::Ident* ident, core::TypeGenerator generator);
  const Type* GenerateVector(ast::Ident* ident, uint32_t width);
  const Type* GenerateMatrix(ast::Ident* ident, uint32_t columns, uint32_t rows);
  const Type* GenerateAtomic(ast::Ident* ident);
  const Type* GenerateTexelBuffer(ast::Ident* ident);
  const Type* GenerateArray(ast::Ident* ident);
  const Type* GeneratePointer(ast::Ident* ident);
  bool IsViewOfBuffer(const Type* store, core::AddressSpace space) const;
  const Type* GenerateBuffer(ast::Ident* ident);
  const Type* GenerateBindingArray(ast::Ident* ident);
  const Type* GenerateStorageTexture(ast::Ident* ident, core::TextureDim dim);
  bool CheckTemplateCount(ast::Ident* ident, size_t least, size_t most);
  /// A predeclared enumerant of `kind` as a template argument; null after an error.
  const core::Predeclared* Enumerant(ast::Expr* expr, core::PredeclaredKind kind);
  /// The element count of an array or size of a buffer: a count (> 0), or an override count, or neither after an error.
  struct Count {
    uint32_t count = 0;
    const core::OverrideCount* override_count = nullptr;
  };
  Count ResolveCount(ast::Expr* expr, std::string_view what);
  static uint32_t NestingOf(const Type* type);
  /// Of an array, or of a member of a structure.
  bool CheckElementType(const Type* element, Range range, const ast::Struct* decl = nullptr,
                        const ast::StructMember* member = nullptr);

  // ------------------------------------------------------------------------------------------------ expr*.cc
  /// Resolves any expression that is a value or a memory view. Poison after an error.
  const Type* Expression(ast::Expr* expr);
  /// As Expression, with the load rule applied to the type that is returned (expr->type stays a reference).
  const Type* Value(ast::Expr* expr);
  const Type* Load(ast::Expr* expr);
  const Type* ResolveLiteral(ast::Literal* literal);
  const Type* ResolveIdent(ast::Ident* ident);
  const Type* ResolveBadValue(ast::Ident* ident, const Denoted& denoted);
  const Type* ResolveUnary(ast::Unary* unary);
  const Type* ResolveUnaryByTable(ast::Unary* unary, const Type* type);
  const Type* ResolveAddressOf(ast::Unary* unary);
  const Type* ResolveDeref(ast::Unary* unary);
  const Type* ResolveBinary(ast::Binary* binary);
  const Type* ResolveBinaryByTable(ast::Binary* binary, const Type* left, const Type* right);
  const Type* ResolveLogical(ast::Binary* binary);
  const Type* ResolveIndex(ast::Index* index);
  const Type* ResolveMember(ast::Member* member);
  /// What an access goes into: a value, or memory.
  struct View {
    const Type* store = nullptr;
    bool is_memory = false;
    core::AddressSpace space{};
    core::Access access{};
  };
  bool ResolveObject(ast::Expr* object, View& view);
  static const Type* StoreOf(const Type* type);
  bool CheckIndex(const ast::Index* index, const Type* store);
  const core::StructMember* FindMember(const core::StructType* structure, Name name) const;
  const Type* ResolveSwizzle(ast::Member* member, const View& view);
  const Type* ResolveCall(ast::Call* call);
  const Type* ResolveFunctionCall(ast::Call* call, ast::Function* function);
  const Type* ResolveBuiltinCall(ast::Call* call, core::BuiltinFn function);
  const Type* ResolveConstruct(ast::Call* call, const Type* type);
  const Type* ResolveInferredConstruct(ast::Call* call, core::TypeGenerator generator);
  const Type* ConstructByOverload(ast::Call* call, core::Constructor constructor, const Type* element);
  const Type* ConstructArray(ast::Call* call, const core::ArrayType* type);
  const Type* ConstructInferredArray(ast::Call* call);
  const Type* ConstructStruct(ast::Call* call, const core::StructType* type);
  const Type* FinishComposite(ast::Call* call, const Type* type);
  /// Resolves the arguments as values, appends their types to arg_types_ and sets the phase to the latest of theirs;
  /// false if one is poison.
  bool ResolveArgs(ast::Call* call);
  const Type* PoisonArgs(ast::Call* call);
  const Type* MatchBuiltinCall(ast::Call* call, core::BuiltinFn function, size_t base);
  const Type* MatchConstruct(ast::Call* call, core::Constructor constructor, const Type* element, size_t base);
  bool ConvertArgument(const ast::Call* call, const ast::Variable& param, ast::Expr* arg);
  static bool IsWholeView(const ast::Expr* expr);
  bool ConvertsBufferPointer(const Type* from, const Type* to) const;
  bool ConvertArgs(ast::Call* call, const core::CallTarget& target);
  bool EvaluateTarget(ast::Call* call, const core::CallTarget& target);
  /// A copy in the arena; calls of the same overload with the same types mostly share one.
  const core::CallTarget* Keep(const core::CallTarget& target);
  void ReportMismatch(Range range, const core::Mismatch& mismatch, std::string hint = {});
  static std::string HintOf(const Suggestion& suggestion);

  // Conversions.
  /// Brings a resolved value to `to` by automatic conversion. False if that is not feasible (nothing reported) or the
  /// value does not fit (reported; the type is then poison).
  enum class Fit : uint8_t { kYes, kNo, kReported };
  Fit Convert(ast::Expr* expr, const Type* to);
  /// As core::ConvertConstant, with what arrays share converted once.
  core::EvalResult ConvertValue(const core::Constant* value, const Type* to);
  /// Concretises an abstract value; returns the type of the value, poison after an error.
  const Type* Materialize(ast::Expr* expr);
  const Type* Poison(ast::Expr* expr) { return expr->type = core::Poison(); }
  bool SetValue(ast::Expr* expr, const core::EvalResult& result, Range range);
  /// Whether the expression is known as early as `phase`; reports at the part that is not.
  bool RequirePhase(ast::Expr* expr, ast::Phase phase, std::string_view what);
  static void AddConversionHint(Builder& error, const Type* found, const Type* wanted);
  void ReportBinaryMismatch(Range range, core::BinaryOp op, const ast::Expr* lhs, const ast::Expr* rhs);

  // ---------------------------------------------------------------------------------------------- statements.cc
  void ResolveStatement(ast::Stmt* stmt);
  void ResolveBlock(ast::Block* block);
  void ResolveStatements(ast::Block* block);
  void ResolveDeclStmt(ast::DeclStmt* stmt);
  void ResolveLocalVar(ast::Variable* variable);
  void ResolveLet(ast::Variable* variable);
  void ResolveCallStmt(ast::CallStmt* stmt);
  void ResolveCondition(ast::Expr* condition, std::string_view what);
  void ResolveSwitch(ast::Switch* stmt);
  void ResolveSelectors(ast::Switch* stmt, const Type* condition, const Type* common);
  void ResolveReturn(ast::Return* stmt);

  // --------------------------------------------------------------------------------------------- assignments.cc
  void ResolveAssign(ast::Assign* stmt);
  void ResolvePhony(ast::Assign* stmt);
  bool CheckSwizzleTarget(const ast::Expr* lhs);
  const core::ReferenceType* ResolveTarget(ast::Expr* lhs, std::string_view verb, bool is_read);
  void ResolveIncrement(ast::Increment* stmt);

  bool HasTooManyErrors() const { return sink_.error_count() >= errors_before_ + kMaxErrors; }
  bool HasFeature(core::LanguageFeature feature) const { return options_.features.Has(feature); }
  bool IsEnabled(core::Extension extension) const { return info_->extensions.Has(extension); }

  ast::Module& module_;
  const NameTable& names_;
  core::TypeTable& types_;
  Arena& arena_;
  diag::Sink& sink_;
  const Options& options_;
  ModuleInfo* info_;
  size_t errors_before_;

  // Names. Indexed by Name::id.
  std::span<ast::Decl*> globals_by_name_;
  struct Binding {
    ast::Decl* decl = nullptr;
    uint32_t scope = 0;  ///< number of open scopes where it was bound
  };
  std::span<Binding> locals_by_name_;
  struct Undo {
    Name name;
    Binding before;
  };
  std::vector<Undo> undo_;
  std::vector<uint32_t> scope_starts_;

  // What is being resolved. Saved and replaced while EnsureResolved is at work.
  struct Context {
    ast::Decl* decl = nullptr;
    FunctionInfo* function = nullptr;  ///< set inside a body
    bool skip_evaluation = false;      ///< in a part that is never evaluated
    uint32_t deps_start = 0;           ///< where its mentions start in deps_
  };
  Context context_;
  uint32_t depth_ = 0;  ///< of nested expressions, through all declarations that are busy
  std::vector<ast::Decl*> busy_;
  std::vector<ast::Variable*> deps_;
  /// By Variable::index: the function that mentioned it last.
  std::vector<const FunctionInfo*> mentioned_by_;

  // Of the function in work.
  std::vector<CallSite> calls_;
  std::vector<ast::Call*> builtin_calls_;
  std::vector<ast::Variable*> function_globals_;

  /// Arrays that were converted, by what they were and what they became.
  struct Conversion {
    const core::Constant* value;
    const Type* to;
    friend bool operator==(const Conversion&, const Conversion&) = default;
  };
  struct HashConversion {
    size_t operator()(const Conversion& c) const {
      return std::hash<const void*>()(c.value) * 31 + std::hash<const void*>()(c.to);
    }
  };
  std::unordered_map<Conversion, const core::Constant*, HashConversion> conversions_;

  std::array<const core::CallTarget*, 64> kept_targets_{};

  /// A stack of argument types; each call uses the part above what its caller uses.
  std::vector<const Type*> arg_types_;

  std::vector<ast::Variable*> ordered_globals_;
  std::vector<ast::Struct*> ordered_structs_;
  std::vector<std::pair<uint32_t, ast::Variable*>> override_ids_;
};

/// What predeclares a name; kNone for others. A table look-up.
const core::Predeclared& PredeclaredOf(Name name);

/// Operators of the tree as core has them.
core::BinaryOp ToCore(ast::BinaryOp op);
core::UnaryOp ToCore(ast::UnaryOp op);

}  // namespace kiln::wgsl::resolve
