// SPDX-License-Identifier: Apache-2.0
// The state of one emission, private to this folder. Its methods stand in one file a subject: types.cc, constants.cc,
// places.cc (pointers and memory), large.cc, functions.cc (instances, worklist), statements.cc, expressions.cc,
// operators.cc, builtin_*.cc, entry_points.cc.
//
// Functions are emitted as instances. SPIR-V's logical addressing cannot pass a pointer into the middle of an object,
// nor a texture chosen by the caller, so a function is emitted once for each shape of its pointer and handle arguments:
// the root and the path are known in the instance, and only indices that vary are passed, as u32.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/layout.h"
#include "emit/spirv/emit.h"
#include "emit/spirv/id_map.h"
#include "emit/spirv/spv.h"
#include "emit/spirv/words.h"
#include "ir/effects.h"
#include "ir/module.h"

namespace kiln::emit::spirv {

using Id = uint32_t;

/// How a type is laid out. Values and the memory of one invocation or workgroup have no layout; buffers do, and the
/// structure that is a whole buffer is decorated as a block. Only arrays and structures differ between the three.
/// The last four are kMemory and kBlock of uniform and of storage buffers whose structures have other members than
/// those of the source: matrices as their columns, padding (block_shapes.cc).
enum class Layout : uint8_t { kValue, kMemory, kBlock, kUniform, kUniformBlock, kStorage, kStorageBlock };

/// The layout of what a composite of this layout is made of.
constexpr Layout PartLayout(Layout layout) {
  if (layout == Layout::kValue) return layout;
  return layout < Layout::kUniform ? Layout::kMemory : layout < Layout::kStorage ? Layout::kUniform : Layout::kStorage;
}
constexpr bool IsReshapable(Layout layout) { return layout >= Layout::kUniform; }
constexpr bool IsUniformLayout(Layout layout) { return layout == Layout::kUniform || layout == Layout::kUniformBlock; }
constexpr bool IsBlock(Layout layout) {
  return layout == Layout::kBlock || layout == Layout::kUniformBlock || layout == Layout::kStorageBlock;
}

/// One step of an access chain. Members and constant indices are ids of constants, so they mean the same everywhere;
/// the others are u32 values of the function being emitted.
struct Step {
  Id id = 0;
  bool is_dynamic = false;
  bool is_member = false;
  uint32_t member = 0;
};

/// A place in memory: a variable (or pointer parameter) and the path from it.
struct Place {
  const ir::Var* var = nullptr;  // the module-scope root; null for memory of a function
  Id root = 0;                   // of the OpVariable or OpFunctionParameter
  spv::StorageClass storage = spv::StorageClass::kFunction;
  Layout layout = Layout::kValue;          // of the root's store type
  const core::Type* root_store = nullptr;  // the root's store type
  bool is_wrapped = false;                 // a block around a store type that is no structure: one member more
  const core::Type* store = nullptr;       // what the place holds
  std::array<Step, 20> steps;              // types nest at most 15 deep: https://www.w3.org/TR/WGSL/#limits
  uint32_t step_count = 0;

  // Of a buffer, and of a view of one (buffer_views.cc): instead of a path, an address in bytes.
  bool is_view = false;
  Id address = 0;            // u32; 0: none but `extra`
  uint32_t extra = 0;        // bytes to add
  Id end = 0;                // u32, views without a fixed footprint: the address behind the last byte
  Id limit = 0;              // u32 constant: the size of the buffer; 0: known at run time only
  uint32_t limit_bytes = 0;  // what `limit` is; 0: an override decides, or there is none

  std::span<const Step> path() const { return {steps.data(), step_count}; }
  std::span<Step> path() { return {steps.data(), step_count}; }

  bool is_buffer() const { return layout != Layout::kValue; }
};

/// A texture or sampler: which variable, and which element of a binding array.
struct Handle {
  const ir::Var* var = nullptr;
  Step index;  // id 0: no array
  bool is_indexed = false;
};

/// Types whose values are handles: they are not values in SPIR-V, but name a resource.
inline bool IsHandle(const core::Type* type) {
  using core::TypeKind;
  return type->Is(TypeKind::kTexture) || type->Is(TypeKind::kSampler) || type->Is(TypeKind::kTexelBuffer) ||
         type->Is(TypeKind::kInputAttachment) || type->Is(TypeKind::kBindingArray);
}

/// A matrix whose columns are closer than 16 bytes (block_shapes.cc).
inline bool IsNarrowMatrix(const core::Type* type) {
  const auto* mat = type->As<core::MatType>();
  return mat != nullptr && core::ColumnStride(mat) % 16 != 0;
}

/// Who lays out a block whose members have no offsets of their own (block_shapes.cc). kNone: offsets count.
enum class LayoutRules : uint8_t { kNone, kStd140, kStd430, kCbuffer };

/// The members that a structure has in a block.
struct BlockShape {
  static constexpr uint32_t kPadding = ~uint32_t{0};
  struct Part {
    const core::Type* type = nullptr;
    uint64_t offset = 0;
    uint32_t member = kPadding;  // of the structure
    uint32_t column = 0;         // of a member that is a matrix in its columns
  };
  std::vector<Part> parts;
  std::vector<uint32_t> first;  // by member of the structure: its first part
  bool is_other = false;        // than the structure itself
  bool fits = true;             // false: the rules put a part behind its place, which no padding mends
  uint64_t align = 1, size = 0;
};

/// What a declaration is in the function being emitted.
struct Binding {
  enum class Kind : uint8_t { kNone, kValue, kCopy, kPlace, kHandle };
  Kind kind = Kind::kNone;
  Id value = 0;  // kValue
  uint32_t number =
      0;  // kCopy (a large value, in a variable of its own), kPlace, kHandle: index into places_ or handles_
};

/// A function for one shape of its arguments.
struct Instance {
  const ir::Function* function = nullptr;
  bool is_guarded = false;      // stores are guarded by the discard flag
  std::vector<Place> places;    // one a pointer parameter; dynamic steps not yet bound
  std::vector<Handle> handles;  // one a handle parameter; likewise
  Id id = 0;
  std::vector<const ir::Var*> uses;  // module-scope variables; some may be there twice
  std::vector<uint32_t> calls;       // instances; likewise
  uint32_t next_of_function = 0;     // 1 + an earlier instance of the same function; 0 for none
};

class Emitter {
 public:
  Emitter(const ir::Module& module, const Options& options, diag::Sink& sink);
  Result<std::vector<uint32_t>> Run();

 private:
  // ------------------------------------------------------------------------------------------------------- types.cc
  Id TypeId(const core::Type* type, Layout layout = Layout::kValue);
  Id MakeType(const core::Type* type, Layout layout);
  Id MakeStruct(const core::StructType& type, Layout layout);
  void NameMember(Id structure, uint32_t member, std::string_view name);
  Id MakeArray(const core::ArrayType& type, Layout layout);
  Id ImageId(const core::Type* sampled, spv::Dim dim, bool depth, bool arrayed, bool multisampled, uint32_t usage,
             spv::ImageFormat format);
  /// The block around a store type that is no structure.
  Id WrapperId(const core::Type* store, Layout layout = Layout::kMemory);
  void DecorateMember(Id structure, uint32_t member, const core::Type* type, uint64_t offset,
                      Layout layout = Layout::kMemory);
  Id PointerId(spv::StorageClass storage, Id pointee);
  Id FunctionTypeId(Id result, std::span<const Id> params);
  Id VoidId() { return TypeId(core::Void()); }
  Id BoolId() { return TypeId(core::Bool()); }
  Id U32Id() { return TypeId(core::U32()); }
  Id VecId(const core::Type* scalar, uint32_t width) {
    return TypeId(width == 1 ? scalar : core::StaticVec(scalar, width));
  }
  Id U64Id();
  Id SampledImageId(Id image);
  void Need(spv::Capability capability);
  void NeedExtension(std::string_view name);
  void NeedUnknownFormat(spv::ImageFormat format, core::Access access);
  void NeedF16Memory(const core::Type* store, spv::StorageClass storage);

  // --------------------------------------------------------------------------------------------------- constants.cc
  Id ConstantId(const core::Constant* constant, Layout layout = Layout::kValue);
  Id ScalarConstant(const core::Type* type, core::Scalar64 value);
  Id U32(uint32_t value);
  Id Bool(bool value);
  /// A float of f32 or f16 (rounded by the caller), or a vector of it where `type` is one.
  Id FloatSplat(const core::Type* type, double value);
  Id IntSplat(const core::Type* type, int64_t value);
  Id SplatConstant(const core::Type* vector_type, Id scalar);
  Id ConstantComposite(Id type, std::span<const Id> parts);
  Id Null(Id type);
  /// Module-scope constant or override expression (spec constant operations); 0 if SPIR-V has no form for it.
  Id SpecExpr(const ir::Expr* expr);
  Id SpecBuiltin(const ir::Expr* expr);
  void ReportNotSpecializable(const ir::Expr* expr, std::string_view what);
  Id OverrideId(const ir::Override* decl);  // 0: it has no form as a specialization constant
  Id OverrideValue(const ir::Override* decl);
  Id WorkgroupOverrideId(const ir::Override* decl);  // 0: OverrideId serves
  Id CountId(const core::OverrideCount& count);

  // ------------------------------------------------------------------------------------------------------ places.cc
  Id GlobalId(const ir::Var* var);
  void DeclareGlobal(const ir::Var* var);
  Place PlaceOf(const ir::Expr* pointer);
  Place GlobalPlace(const ir::Var* var);
  void StepInto(Place& place, const ir::Expr* index);
  void StepMember(Place& place, uint32_t member);
  /// An OpAccessChain, or the root itself.
  Id Chain(const Place& place);
  Id Load(const Place& place);
  void Store(const Place& place, Id value);
  /// The same value in the other layout.
  Id Relayout(Id value, const core::Type* type, Layout from, Layout to);
  Id ArrayLength(const Place& place);
  /// `index` as u32, clamped to the last of `base`'s elements where the protection says so. `place` names the array
  /// where its length is only known at run time.
  Id ClampedIndex(const ir::Expr* index, const core::Type* base, const Place* place, Step* step);
  Handle HandleOf(const ir::Expr* value);
  Id LoadHandle(const Handle& handle);
  /// With `init`, a constant, the variable begins as it once a call of the function.
  Id NewFunctionVar(Id type, Id init = 0);

  // ------------------------------------------------------------------------------------------------ block_shapes.cc
  LayoutRules RulesOf(Layout layout) const;
  bool IsCbuffer(spv::StorageClass storage) const;
  /// The layout of a buffer's store type.
  Layout BufferLayout(spv::StorageClass storage, const core::Type* store);
  /// Whether the type is another in this layout than its members say.
  bool IsReshaped(const core::Type* type, Layout layout);
  const BlockShape& BlockShapeOf(const core::StructType& type, Layout layout);
  struct Extent {
    uint64_t align, size;
  };
  Extent ExtentOf(const core::Type* type, Layout layout);
  void AddPadding(BlockShape& shape, uint64_t begin, uint64_t end);
  /// False: the rules put a member, or the elements of an array, further than WGSL does.
  bool Fits(const core::Type* type, Layout layout);
  /// A buffer that is words to the target, since its rules do not fit.
  bool IsWords(spv::StorageClass storage, const core::Type* store);
  /// The name of the structure that is no block: for translators one name is one declaration.
  void NameStruct(Id id, const core::StructType& type, Layout layout);
  Id MakeShape(const core::StructType& type, Layout layout);
  Id MakeColumns(const core::MatType& mat);
  /// A matrix whose columns are members of the structure that holds it: the last step names the first of them.
  static bool IsSplit(const Place& place);
  Place ColumnPlace(const Place& matrix, uint32_t column);
  void StepShapedMember(Place& place, uint32_t member);
  void StepIntoColumns(Place& place, const ir::Expr* index);
  Id LoadColumns(const Place& matrix);
  /// The value of a reshaped layout as one without.
  Id FromShape(Id value, const core::Type* type, Layout layout);
  bool GoesByParts(const Place& place);
  Place PartPlace(const Place& place, uint32_t index);
  Id LoadParts(const Place& place);
  void StoreParts(const Place& place, Id value);

  // ------------------------------------------------------------------------------------------------ buffer_views.cc
  Id BufferStoreId(const core::BufferType& buffer, spv::StorageClass storage);
  void BeginBuffer(Place& place, const core::BufferType& buffer);
  void NarrowBuffer(Place& place, const core::BufferType& param);
  Id BufferLength(const Place& place);
  Place ViewOf(const ir::Expr* call);
  void StepIntoView(Place& place, const ir::Expr* index);
  Id Address(const Place& place);
  Id ViewLength(const Place& place);
  Id WordChain(const Place& place, Id word);
  Id WordAt(const Place& place, Id* half);
  Id LoadView(const Place& place, const core::Type* type);
  void StoreView(const Place& place, const core::Type* type, Id value);
  void ZeroBuffer(const Place& place, Id first, Id stride);
  Id CountU32(const core::OverrideCount& count);
  Id SpecOp(spv::Op op, const core::Type* type, Id a, Id b);

  // ------------------------------------------------------------------------------------------------------- large.cc
  static bool IsLarge(const core::Type* type);
  bool TakePart();  // of a budget; false: it is used up, which is reported
  /// A private variable that begins as zero and is too large for an initialiser.
  bool IsZeroedByLoop(const ir::Var* var) const;
  void ZeroPlace(const Place& place);
  void CopyPlace(const Place& to, const Place& from);
  /// Stores a large `value` without ever having it as a value; false: it was not done.
  bool AssignInPlace(const Place& to, const ir::Expr* value);
  /// Binds a `let` of a large value that is read from memory to a copy of that memory; false: it was not done.
  bool BindCopy(const ir::LetStmt* stmt);
  /// f(index, 0) in a loop over an array, f(0, member) for each member of a structure.
  template <typename F>
  void ForEachPart(const core::Type* type, F f);

  // --------------------------------------------------------------------------------------------------- functions.cc
  uint32_t InstanceOf(const ir::Function* function, std::vector<Place> places, std::vector<Handle> handles);
  void EmitInstance(uint32_t number);
  void EmitPending();
  bool Discards(const ir::Function* function);
  void BeginFunction(Id result_type, Id id, Id function_type, std::span<const Id> param_types, std::span<Id> param_ids);
  void EndFunction();
  Id EmitCall(const ir::Expr* call);
  void Use(const ir::Var* var);

  // -------------------------------------------------------------------------------------------------- statements.cc
  void EmitBlock(const ir::Block& block);
  void EmitStmt(const ir::Stmt* stmt);
  void EmitIf(const ir::IfStmt* stmt);
  void EmitSwitch(const ir::SwitchStmt* stmt);
  void EmitLoop(const ir::LoopStmt* stmt);
  void CountDown(Id counter, Id pair_type);
  void EndUnreachable();
  void EmitVar(const ir::VarStmt* stmt);
  void EmitLet(const ir::LetStmt* stmt);
  void EmitStore(const ir::StoreStmt* stmt);
  void EmitDiscard();
  void Label(Id id);
  void Branch(Id target);
  void BranchIf(Id condition, Id yes, Id no);
  bool is_reachable() const { return label_ != 0; }
  void Line(diag::Range range);
  /// Runs `f` only where the invocation was not discarded; `f` gives a value of `type` (0 for none).
  template <typename F>
  Id Guarded(Id type, F f);
  template <typename F>
  Id If(Id condition, Id type, F f);
  /// Runs `f(at)` for each u32 at = first, first + stride, ... below `count`.
  template <typename F>
  void Repeat(Id first, Id count, Id stride, F f);

  // ------------------------------------------------------------------------------------------------- expressions.cc
  Id Value(const ir::Expr* expr);
  Id RefValue(const ir::Expr* expr);
  Id IndexValue(const ir::Expr* expr);
  Id MemberValue(const ir::Expr* expr);
  bool PlaceOfValue(const ir::Expr* expr, Place* place);
  Id SwizzleValue(const ir::Expr* expr);
  Id ConstructValue(const ir::Expr* expr);
  Id LogicalValue(const ir::Expr* expr);
  Id Convert(Id value, const core::Type* from, const core::Type* to);
  Id Bitcast(Id value, const core::Type* from, const core::Type* to);
  Id Splat(Id scalar, const core::Type* vector_type);
  Id Extract(Id value, const core::Type* part, uint32_t index);

  // --------------------------------------------------------------------------------------------------- operators.cc
  Id UnaryValue(const ir::Expr* expr);
  Id BinaryValue(const ir::Expr* expr);
  Id Arithmetic(core::BinaryOp op, Id a, const core::Type* a_type, Id b, const core::Type* b_type,
                const core::Type* result);
  Id MatrixArithmetic(core::BinaryOp op, Id a, const core::Type* a_type, Id b, const core::Type* b_type,
                      const core::Type* result);
  Id Compare(core::BinaryOp op, Id a, Id b, const core::Type* operand, const core::Type* result);
  Id Divide(Id a, Id b, const core::Type* type, bool remainder);
  Id Shift(core::BinaryOp op, Id a, Id b, const core::Type* type, const core::Type* amount);

  // ---------------------------------------------------------------------------------------------------- builtin_*.cc
  Id EmitBuiltin(const ir::Expr* expr);
  Id MathBuiltin(const ir::Expr* expr);
  Id QuantizeByPacking(const core::Type* type, Id value);
  Id BitBuiltin(const ir::Expr* expr);
  Id PackBuiltin(const ir::Expr* expr);
  Id TextureBuiltin(const ir::Expr* expr);
  Id AtomicBuiltin(const ir::Expr* expr);
  Id SubgroupBuiltin(const ir::Expr* expr);
  Id BarrierBuiltin(const ir::Expr* expr);
  Id TextureDimensions(const ir::Expr* expr);
  Id TextureCount(const ir::Expr* expr, spv::Op query, const Handle& handle, Id image);
  void DeclareTextureCounts();

  // ------------------------------------------------------------------------------------------- external_textures.cc
  /// An external texture of two planes, with the variables that it has besides its own.
  struct External {
    const ir::Var* texture = nullptr;
    std::unique_ptr<ir::Var> plane1, params;
  };
  void MakeExternals();
  Id ExternalBuiltin(const ir::Expr* expr);
  Id ExternalRow(const External& external, uint32_t row);
  Id ExternalTransform(const External& external, uint32_t row, Id coords);
  Id ExternalTransfer(const External& external, uint32_t row, Id value);
  Id ExternalColor(const External& external, Id texel0, Id texel1);
  Id TextureLoad(const ir::Expr* expr);
  Id TextureStore(const ir::Expr* expr);
  Id TextureSample(const ir::Expr* expr);
  Id TextureGather(const ir::Expr* expr);
  Id Unsupported(const ir::Expr* expr, std::string_view what);

  // ------------------------------------------------------------------------------------------------ entry_points.cc
  void EmitEntryPoint(const ir::Function* function);
  Id LoadInput(const core::Type* type, const core::IoAttributes& io, core::Stage stage, std::string_view name);
  void StoreOutput(Id value, const core::Type* type, const core::IoAttributes& io, core::Stage stage,
                   std::string_view name);
  Id InputBuiltin(core::BuiltinValue value);
  Id IoVariable(spv::StorageClass storage, Id type, std::string_view name);
  Id BuiltinVariable(spv::StorageClass storage, spv::BuiltIn builtin, Id type, std::string_view name);
  void DecorateIo(Id var, const core::Type* type, const core::IoAttributes& io, core::Stage stage, bool is_input);
  void ZeroWorkgroup(const ir::Function* function, std::span<const ir::Var* const> vars);
  void InitPrivates(std::span<const ir::Var* const> vars);
  /// Where the size is declared, or as values for the body.
  std::array<Id, 3> WorkgroupSizeIds(const ir::EntryPoint& entry, bool* all_constant, std::array<uint32_t, 3>* size,
                                     bool is_declaration = false);
  std::vector<const ir::Var*> Closure(uint32_t instance);

  // -------------------------------------------------------------------------------------------------- instructions
  Id NewId() { return next_id_++; }
  template <typename... Operands>
  Id Op(spv::Op op, Id type, Operands... operands) {
    const Id id = NewId();
    body_.Op(op, type, id, operands...);
    return id;
  }
  template <typename... Operands>
  Id Ext(spv::Glsl instruction, Id type, Operands... operands) {
    const Id id = NewId();
    body_.Op(spv::Op::kExtInst, type, id, glsl_id_, static_cast<uint32_t>(instruction), operands...);
    return id;
  }
  Id OpList(spv::Op op, Id type, std::span<const Id> list) {
    const Id id = NewId();
    body_.OpList(op, list, type, id);
    return id;
  }
  void Decorate(Id id, spv::Decoration decoration) { decorations_.Op(spv::Op::kDecorate, id, decoration); }
  template <typename... Operands>
  void Decorate(Id id, spv::Decoration decoration, Operands... operands) {
    decorations_.Op(spv::Op::kDecorate, id, decoration, operands...);
  }
  void Name(Id id, std::string_view name);

  const ir::Module& module_;
  const Options& options_;
  const Protections& protect_;
  diag::Sink& sink_;
  core::TypeTable& types_;

  Id next_id_ = 1;
  Id glsl_id_ = 0;
  Words names_, decorations_, globals_, entry_points_, execution_modes_, functions_;
  // Of the function being emitted: its variables, the overrides that it computes, and what follows.
  Words locals_, prologue_, body_;
  std::vector<spv::Capability> capabilities_;
  std::vector<std::string_view> extensions_;
  Words strings_;
  std::unordered_map<const diag::SourceFile*, Id> file_ids_;

  std::array<Id, 256> static_types_{};
  PairMap type_ids_;                                                 // (type, layout)
  PairMap wrappers_;                                                 // (store type, layout)
  std::set<const core::Type*> block_structs_;  // stores of buffers, for translators (NameStruct)
  std::map<std::pair<const core::Type*, bool>, BlockShape> shapes_;  // structures; in a uniform buffer, or another
  PairMap pointers_;                                                 // (storage, pointee)
  PairMap scalars_;                                                  // (type id, bits)
  PairMap constant_ids_;                                             // (constant, layout)
  ListMap composites_;
  ListMap function_types_;
  ListMap images_;
  PairMap nulls_, sampled_images_;  // (id, 0)
  std::array<Id, 64> small_u32_{};
  Id u64_ = 0;

  std::vector<Id> global_ids_;    // by Decl::id
  std::vector<Id> override_ids_;  // by Decl::id
  std::vector<bool> has_no_spec_form_;
  std::unordered_map<const ir::Override*, Id> override_values_;  // of the function being emitted
  bool is_in_prologue_ = false;
  std::set<const ir::Expr*> reported_;
  std::map<const ir::Override*, Id> workgroup_override_ids_;
  std::vector<Binding> bindings_;  // by Decl::id, of the function being emitted
  std::vector<Place> places_;
  std::vector<Handle> handles_;

  std::vector<Instance> instances_;
  size_t next_instance_ = 0;
  /// What is known of a function of the module.
  struct FunctionFacts {
    uint32_t last_instance = 0;  // 1 + its number; 0 without
    uint32_t instance_count = 0;
    std::optional<bool> discards;
  };
  std::vector<FunctionFacts> function_facts_;  // by Decl::id
  uint32_t current_ = 0;  // the instance being emitted
  // So that nothing is looked for in a list: 1 + the instance that used the variable, or called the instance, last.
  std::vector<uint32_t> last_user_;    // by Decl::id
  std::vector<uint32_t> last_caller_;  // by instance
  std::vector<bool> in_closure_;       // by Decl::id
  // Kept for their memory alone: of EmitInstance, and of Closure.
  std::vector<Id> param_types_, param_ids_, param_values_;
  std::vector<Id*> param_targets_;
  std::vector<bool> is_seen_;
  std::vector<uint32_t> work_;

  Id label_ = 0;  // of the open block; 0 after a terminator
  Id break_label_ = 0, continue_label_ = 0;
  uint32_t parts_ = 0;  // cleared and copied so far (large.cc)
  uint32_t loop_depth_ = 0;
  uint32_t continuing_depth_ = 0;  // blocks of `continuing` around
  bool is_continued_ = false;      // something arrives at the `continuing` of the innermost loop
  bool is_guarded_ = false;
  Id discard_flag_ = 0;
  diag::Range line_;

  /// Options::texture_counts_from_uniform: a variable of the emitter's own, whose members are known at the end.
  struct CountMember {
    const ir::Var* texture;
    spv::Op query;
  };
  ir::Var counts_var_{};
  std::vector<CountMember> count_members_;
  std::vector<External> externals_;

  std::vector<Id> interface_;                                 // of the entry point being emitted
  std::map<std::pair<uint32_t, uint32_t>, Id> builtin_vars_;  // of the entry point being emitted
};

}  // namespace kiln::emit::spirv
