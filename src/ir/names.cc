// SPDX-License-Identifier: Apache-2.0
#include "ir/names.h"

#include <algorithm>
#include <bitset>
#include <unordered_map>
#include <unordered_set>

#include "core/predeclared.h"
#include "ir/walk.h"

namespace kiln::ir {
namespace {

// https://www.w3.org/TR/WGSL/#keyword-summary and #reserved-words, sorted.
constexpr std::string_view kReservedWords[] = {
    "NULL",
    "Self",
    "abstract",
    "active",
    "alias",
    "alignas",
    "alignof",
    "as",
    "asm",
    "asm_fragment",
    "async",
    "attribute",
    "auto",
    "await",
    "become",
    "break",
    "case",
    "cast",
    "catch",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "coherent",
    "column_major",
    "common",
    "compile",
    "compile_fragment",
    "concept",
    "const",
    "const_assert",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "continuing",
    "crate",
    "debugger",
    "decltype",
    "default",
    "delete",
    "demote",
    "demote_to_helper",
    "diagnostic",
    "discard",
    "do",
    "dynamic_cast",
    "else",
    "enable",
    "enum",
    "explicit",
    "export",
    "extends",
    "extern",
    "external",
    "fallthrough",
    "false",
    "filter",
    "final",
    "finally",
    "fn",
    "for",
    "friend",
    "from",
    "fxgroup",
    "get",
    "goto",
    "groupshared",
    "highp",
    "if",
    "impl",
    "implements",
    "import",
    "inline",
    "instanceof",
    "interface",
    "layout",
    "let",
    "loop",
    "lowp",
    "macro",
    "macro_rules",
    "match",
    "mediump",
    "meta",
    "mod",
    "module",
    "move",
    "mut",
    "mutable",
    "namespace",
    "new",
    "nil",
    "noexcept",
    "noinline",
    "nointerpolation",
    "non_coherent",
    "noncoherent",
    "noperspective",
    "null",
    "nullptr",
    "of",
    "operator",
    "override",
    "package",
    "packoffset",
    "partition",
    "pass",
    "patch",
    "pixelfragment",
    "precise",
    "precision",
    "premerge",
    "priv",
    "protected",
    "pub",
    "public",
    "readonly",
    "ref",
    "regardless",
    "register",
    "reinterpret_cast",
    "require",
    "requires",
    "resource",
    "restrict",
    "return",
    "self",
    "set",
    "shared",
    "sizeof",
    "smooth",
    "snorm",
    "static",
    "static_assert",
    "static_cast",
    "std",
    "struct",
    "subroutine",
    "super",
    "switch",
    "target",
    "template",
    "this",
    "thread_local",
    "throw",
    "trait",
    "true",
    "try",
    "type",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unless",
    "unorm",
    "unsafe",
    "unsized",
    "use",
    "using",
    "var",
    "varying",
    "virtual",
    "volatile",
    "wgsl",
    "where",
    "while",
    "with",
    "writeonly",
    "yield",
};

bool IsIdentifierByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool IsIdentifier(std::string_view name) {
  if (name.empty() || name == "_" || name.starts_with("__") || (name[0] >= '0' && name[0] <= '9')) return false;
  return std::all_of(name.begin(), name.end(), IsIdentifierByte);
}

std::string_view DefaultName(DeclKind kind) {
  switch (kind) {
    case DeclKind::kParam:
      return "p";
    case DeclKind::kLet:
      return "t";
    case DeclKind::kVar:
      return "v";
    case DeclKind::kOverride:
      return "o";
    case DeclKind::kNamedConst:
      return "c";
    case DeclKind::kStruct:
      return "S";
    case DeclKind::kFunction:
      return "f";
  }
  return "x";
}

constexpr size_t kBuiltinCount = 256;

}  // namespace

/// Walks the module in the order in which the printers print it.
class NameAssigner {
 public:
  NameAssigner(const Module& module, NameMap& map) : module_(module), map_(map) {
    map_.names_.resize(module.decl_count);
  }

  void Run() {
    FindBuiltins();
    FindTypes();
    // The names that a host or another stage knows come first: they are never the ones that give way.
    for (const bool abi : {true, false}) {
      ForEachGlobal([&](const Decl& decl) {
        if (decl.abi == abi) Assign(decl, true);
      });
    }
    for (const Function* function : module_.functions) {
      const size_t mark = scope_.size();
      next_number_.clear();
      for (const Param* param : function->params) Assign(*param, false);
      WalkScope(function->body);
      Leave(mark);
    }
  }

 private:
  template <typename F>
  void ForEachGlobal(F&& f) {
    for (const auto* decl : module_.structs) f(*decl);
    for (const auto* decl : module_.consts) f(*decl);
    for (const auto* decl : module_.overrides) f(*decl);
    for (const auto* decl : module_.vars) f(*decl);
    for (const auto* decl : module_.functions) f(*decl);
  }

  void FindBuiltins() {
    const auto note = [&](Expr*& expr) {
      if (expr->Is(ExprKind::kBuiltin)) used_.set(static_cast<size_t>(expr->builtin()));
      if (expr->Is(ExprKind::kBitcast)) used_.set(static_cast<size_t>(core::BuiltinFn::kBitcast));
    };
    for (Function* function : module_.functions) WalkExprs(function->body, note);
    ForEachModuleExpr(const_cast<Module&>(module_), [&](Expr*& root) { WalkExpr(root, note); });
  }

  /// Types that stand in declarations only: those of the module are known after this. (`buffer` is a type of WGSL, and
  /// a name that many shaders use.)
  void FindTypes() {
    for (const Var* var : module_.vars) NoteType(var->type->To<core::PointerType>().store);
    for (const StructDecl* decl : module_.structs) {
      for (const core::StructMember& member : decl->structure().members) NoteType(member.type);
    }
    for (const Function* function : module_.functions) {
      for (const Param* param : function->params) NoteType(param->type);
    }
  }
  void NoteType(const core::Type* type) {
    written_.set(static_cast<size_t>(type->kind));
    if (const auto* pointer = type->As<core::PointerType>()) return NoteType(pointer->store);
    if (const core::Type* element = core::ElementOf(type)) NoteType(element);
  }
  bool IsWritten(core::TypeKind kind) const {
    switch (kind) {
      case core::TypeKind::kPointer:
      case core::TypeKind::kAtomic:
      case core::TypeKind::kSampler:
      case core::TypeKind::kTexture:
      case core::TypeKind::kTexelBuffer:
      case core::TypeKind::kBindingArray:
      case core::TypeKind::kBuffer:
        return written_.test(static_cast<size_t>(kind));
      default:
        return true;  // may stand in any expression
    }
  }
  static core::TypeKind KindOf(core::TypeGenerator generator) {
    using G = core::TypeGenerator;
    if (generator >= G::kTexture1d && generator <= G::kTextureStorage3d) return core::TypeKind::kTexture;
    switch (generator) {
      case G::kAtomic:
        return core::TypeKind::kAtomic;
      case G::kPtr:
        return core::TypeKind::kPointer;
      case G::kTexelBuffer:
        return core::TypeKind::kTexelBuffer;
      case G::kBindingArray:
        return core::TypeKind::kBindingArray;
      case G::kBuffer:
        return core::TypeKind::kBuffer;
      default:
        return core::TypeKind::kVec;
    }
  }

  /// What the block declares, then the blocks inside; all of it leaves the scope at the end.
  void WalkScope(const Block& block) {
    const size_t mark = scope_.size();
    WalkOpen(block);
    Leave(mark);
  }
  void WalkOpen(const Block& block) {
    for (Stmt* stmt : block) {
      if (stmt->Is(StmtKind::kLet)) Assign(*stmt->As<LetStmt>()->let, false);
      if (stmt->Is(StmtKind::kVar)) Assign(*stmt->As<VarStmt>()->var, false);
      if (stmt->Is(StmtKind::kLoop)) {
        const size_t mark = scope_.size();
        WalkOpen(stmt->As<LoopStmt>()->body);  // visible in continuing
        WalkScope(stmt->As<LoopStmt>()->continuing);
        Leave(mark);
      } else {
        ForEachBlock(*stmt, [&](Block& inner) { WalkScope(inner); });
      }
    }
  }

  bool IsFree(std::string_view name, bool is_global) {
    if (taken_.contains(name) || IsReservedWord(name)) return false;
    const core::Predeclared predeclared = core::LookupPredeclared(name);
    switch (predeclared.kind) {
      case core::PredeclaredKind::kNone:
        return true;
      case core::PredeclaredKind::kFunction:
        return !used_.test(static_cast<size_t>(predeclared.function));
      case core::PredeclaredKind::kType:
        return !IsWritten(predeclared.type->kind);
      case core::PredeclaredKind::kGenerator:
        return !IsWritten(KindOf(predeclared.generator));
      default:
        return !is_global;  // enumerants stand in the types of module-scope variables only
    }
  }

  void Assign(const Decl& decl, bool is_global) {
    std::string_view name = decl.name;
    if (!IsIdentifier(name)) name = Repaired(decl);
    if (!IsFree(name, is_global)) {
      std::string candidate;
      uint32_t number = 1;
      do {
        // Many of one name: go on where the last one of this function stopped.
        if (number == 8) number = std::max(number, next_number_[name]);
        candidate.assign(name).append("_").append(std::to_string(number++));
      } while (!IsFree(candidate, is_global));
      if (number > 8) next_number_[name] = number;
      name = map_.arena_.Copy(std::string_view(candidate));
    }
    taken_.insert(name);
    if (!is_global) scope_.push_back(name);
    map_.names_[decl.id] = name;
  }

  std::string_view Repaired(const Decl& decl) {
    std::string name;
    for (char c : decl.name) {
      if (IsIdentifierByte(c)) name += c;
    }
    const size_t start = name.find_first_not_of('_');
    name.erase(0, start == std::string::npos ? name.size() : start);
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name.insert(0, DefaultName(decl.kind));
    return map_.arena_.Copy(std::string_view(name));
  }

  void Leave(size_t mark) {
    for (; scope_.size() > mark; scope_.pop_back()) taken_.erase(scope_.back());
  }

  const Module& module_;
  NameMap& map_;
  std::bitset<kBuiltinCount> used_;
  std::bitset<64> written_;  // by core::TypeKind
  std::unordered_set<std::string_view> taken_;
  std::vector<std::string_view> scope_;
  std::unordered_map<std::string_view, uint32_t> next_number_;
};

NameMap::NameMap(const Module& module) {
  NameAssigner(module, *this).Run();
  for (const StructDecl* decl : module.structs) structs_.emplace_back(&decl->structure(), decl);
  std::sort(structs_.begin(), structs_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
}

bool NameMap::IsUsed(std::string_view name) const {
  if (IsReservedWord(name) || core::LookupPredeclared(name).kind != core::PredeclaredKind::kNone) return true;
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

const StructDecl* NameMap::StructOf(const core::StructType& type) const {
  const auto found = std::lower_bound(structs_.begin(), structs_.end(), &type,
                                      [](const auto& entry, const core::StructType* key) { return entry.first < key; });
  return found != structs_.end() && found->first == &type ? found->second : nullptr;
}

bool IsReservedWord(std::string_view word) {
  return std::binary_search(std::begin(kReservedWords), std::end(kReservedWords), word);
}

}  // namespace kiln::ir
