// SPDX-License-Identifier: Apache-2.0
// Functions as instances (emitter.h), their worklist, calls, and the assembly of the module.
#include <algorithm>

#include "emit/spirv/emitter.h"
#include "ir/walk.h"

namespace kiln::emit::spirv {

using core::TypeKind;

namespace {

bool SameStep(const Step& a, const Step& b) {
  return a.is_dynamic == b.is_dynamic && (a.is_dynamic || (a.id == b.id && a.is_member == b.is_member));
}

// Same root and same path, whatever the values of the indices that vary.
bool SameShape(const Place& a, const Place& b) {
  return a.var == b.var && a.storage == b.storage && a.root_store == b.root_store && a.step_count == b.step_count &&
         a.is_view == b.is_view && a.limit == b.limit &&
         std::equal(a.path().begin(), a.path().end(), b.path().begin(), SameStep);
}

bool SameShape(const Handle& a, const Handle& b) {
  return a.var == b.var && a.is_indexed == b.is_indexed && SameStep(a.index, b.index);
}

template <typename T>
bool SameShapes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](const T& x, const T& y) { return SameShape(x, y); });
}

// More shapes of one function than this mean a blow-up that no shader needs.
constexpr size_t kMostInstances = 4096;

}  // namespace

Emitter::Emitter(const ir::Module& module, const Options& options, diag::Sink& sink)
    : module_(module), options_(options), protect_(options.protections), sink_(sink), types_(module.types) {
  global_ids_.resize(module.decl_count + 1);  // the last one: counts_var_
  counts_var_.kind = ir::DeclKind::kVar;
  counts_var_.id = module.decl_count;
  override_ids_.resize(module.decl_count);
  has_no_spec_form_.resize(module.decl_count);
  bindings_.resize(module.decl_count);
  function_facts_.resize(module.decl_count);
  instances_.reserve(module.functions.size());
  if (options.external_textures == ExternalTextures::kPlanes) MakeExternals();
  if (options.block_rules != BlockRules::kOffsets) {
    for (const ir::Var* var : module.vars) {
      const auto& pointer = var->type->To<core::PointerType>();
      const bool is_block = pointer.space == core::AddressSpace::kUniform ||
                            pointer.space == core::AddressSpace::kStorage ||
                            pointer.space == core::AddressSpace::kImmediate;
      if (is_block && pointer.store->Is(TypeKind::kStruct)) block_structs_.insert(pointer.store);
    }
  }
  // The emitter's own variables have ids too.
  last_user_.resize(global_ids_.size());
  in_closure_.resize(global_ids_.size());
}

void Emitter::Name(Id id, std::string_view name) {
  if (!options_.names || name.empty()) return;
  const Id before[] = {id};
  names_.OpString(spv::Op::kName, before, name);
}

void Emitter::Use(const ir::Var* var) {
  if (instances_.empty()) return;
  uint32_t& user = last_user_[var->id];
  if (user == current_ + 1) return;
  user = current_ + 1;
  instances_[current_].uses.push_back(var);
}

uint32_t Emitter::InstanceOf(const ir::Function* function, std::vector<Place> places, std::vector<Handle> handles) {
  FunctionFacts& facts = function_facts_[function->id];
  for (uint32_t at = facts.last_instance; at != 0; at = instances_[at - 1].next_of_function) {
    const Instance& instance = instances_[at - 1];
    if (instance.is_guarded == is_guarded_ && SameShapes(instance.places, places) &&
        SameShapes(instance.handles, handles)) {
      return at - 1;
    }
  }
  const auto number = static_cast<uint32_t>(instances_.size());
  Instance& instance = instances_.emplace_back();
  instance.function = function;
  instance.next_of_function = facts.last_instance;
  facts.last_instance = number + 1;
  ++facts.instance_count;
  instance.is_guarded = is_guarded_;
  instance.places = std::move(places);
  instance.handles = std::move(handles);
  instance.id = NewId();
  // The name of an entry point belongs to the function around it.
  Name(instance.id, function->entry == nullptr ? std::string(function->name) : std::string(function->name) + "_inner");
  return number;
}

void Emitter::BeginFunction(Id result_type, Id id, Id function_type, std::span<const Id> param_types,
                            std::span<Id> param_ids) {
  locals_.Clear();
  prologue_.Clear();
  body_.Clear();
  override_values_.clear();
  functions_.Op(spv::Op::kFunction, result_type, id, 0u, function_type);
  for (size_t i = 0; i < param_types.size(); ++i) {
    param_ids[i] = NewId();
    functions_.Op(spv::Op::kFunctionParameter, param_types[i], param_ids[i]);
  }
  label_ = NewId();
  functions_.Op(spv::Op::kLabel, label_);
  line_ = {};
}

void Emitter::EndFunction() {
  functions_.Append(locals_);
  functions_.Append(prologue_);
  functions_.Append(body_);
  functions_.Op(spv::Op::kFunctionEnd);
}

void Emitter::EmitInstance(uint32_t number) {
  current_ = number;
  // Copies: instances_ grows while the body is emitted.
  const ir::Function* function = instances_[number].function;
  std::vector<Place> places = instances_[number].places;
  std::vector<Handle> handles = instances_[number].handles;
  is_guarded_ = instances_[number].is_guarded;

  const Id result = TypeId(function->type);
  std::vector<Id>& param_types = param_types_;
  std::vector<Id*>& targets = param_targets_;  // where the id of each SPIR-V parameter goes
  std::vector<Id>& values = param_values_;
  param_types.clear();
  targets.clear();
  values.assign(function->params.size(), 0);
  size_t next_place = 0, next_handle = 0;
  for (size_t i = 0; i < function->params.size(); ++i) {
    const core::Type* type = function->params[i]->type;
    if (type->Is(TypeKind::kPointer)) {
      Place& place = places[next_place++];
      if (place.var == nullptr) {
        param_types.push_back(PointerId(place.storage, TypeId(place.root_store)));
        targets.push_back(&place.root);
      } else {
        place.root = GlobalId(place.var);
      }
      for (Step& step : place.path()) {
        if (!step.is_dynamic) continue;
        param_types.push_back(U32Id());
        targets.push_back(&step.id);
      }
      if (place.is_view && !place.store->Is(TypeKind::kBuffer)) {
        param_types.push_back(U32Id());
        targets.push_back(&place.address);
        if (!place.store->Has(core::Type::kFixedFootprint)) {
          param_types.push_back(U32Id());
          targets.push_back(&place.end);
        }
      }
    } else if (IsHandle(type)) {
      Handle& handle = handles[next_handle++];
      Use(handle.var);
      if (handle.is_indexed && handle.index.is_dynamic) {
        param_types.push_back(U32Id());
        targets.push_back(&handle.index.id);
      }
    } else {
      param_types.push_back(TypeId(type));
      targets.push_back(&values[i]);
    }
  }
  std::vector<Id>& param_ids = param_ids_;
  param_ids.assign(param_types.size(), 0);
  BeginFunction(result, instances_[number].id, FunctionTypeId(result, param_types), param_types, param_ids);
  for (size_t i = 0; i < targets.size(); ++i) *targets[i] = param_ids[i];

  places_ = std::move(places);
  handles_ = std::move(handles);
  next_place = next_handle = 0;
  for (size_t i = 0; i < function->params.size(); ++i) {
    const ir::Param* param = function->params[i];
    Binding& binding = bindings_[param->id];
    if (param->type->Is(TypeKind::kPointer)) {
      binding = {Binding::Kind::kPlace, 0, static_cast<uint32_t>(next_place++)};
    } else if (IsHandle(param->type)) {
      binding = {Binding::Kind::kHandle, 0, static_cast<uint32_t>(next_handle++)};
    } else {
      binding = {Binding::Kind::kValue, values[i], 0};
      Name(values[i], param->name);
    }
  }
  break_label_ = continue_label_ = 0;
  EmitBlock(function->body);
  if (is_reachable()) {
    if (function->type->Is(TypeKind::kVoid)) {
      body_.Op(spv::Op::kReturn);
    } else {
      body_.Op(spv::Op::kUnreachable);
    }
  }
  EndFunction();
}

void Emitter::EmitPending() {
  while (next_instance_ < instances_.size()) EmitInstance(static_cast<uint32_t>(next_instance_++));
}

Id Emitter::EmitCall(const ir::Expr* call) {
  const ir::Function* callee = call->callee();
  IdList arguments;
  std::vector<Place> places;
  std::vector<Handle> handles;
  for (uint32_t i = 0; i < call->operand_count; ++i) {
    const ir::Expr* argument = call->operand(i);
    const core::Type* type = callee->params[i]->type;
    if (type->Is(TypeKind::kPointer)) {
      Place place = PlaceOf(argument);
      if (place.var == nullptr) arguments.push_back(place.root);
      place.root = 0;
      for (Step& step : place.path()) {
        if (!step.is_dynamic) continue;
        arguments.push_back(step.id);
        step.id = 0;
      }
      if (const auto* buffer = type->To<core::PointerType>().store->As<core::BufferType>()) {
        NarrowBuffer(place, *buffer);
      } else if (place.is_view) {
        arguments.push_back(Address(place));
        if (!place.store->Has(core::Type::kFixedFootprint)) arguments.push_back(place.end);
        place.address = place.end = place.extra = 0;
      }
      places.push_back(place);
    } else if (IsHandle(type)) {
      Handle handle = HandleOf(argument);
      if (handle.is_indexed && handle.index.is_dynamic) {
        arguments.push_back(handle.index.id);
        handle.index.id = 0;
      }
      handles.push_back(handle);
    } else {
      arguments.push_back(Value(argument));
    }
  }
  if (function_facts_[callee->id].instance_count > kMostInstances) {
    sink_.Error(call->range, "spirv-too-many-instances")
        << "'" << callee->name << "' is called with more than " << kMostInstances << " shapes of pointers or textures";
    return Null(TypeId(core::U32()));
  }
  const uint32_t number = InstanceOf(callee, std::move(places), std::move(handles));
  last_caller_.resize(instances_.size());
  if (last_caller_[number] != current_ + 1) {
    last_caller_[number] = current_ + 1;
    instances_[current_].calls.push_back(number);
  }
  const Id id = NewId();
  body_.OpList(spv::Op::kFunctionCall, arguments, TypeId(callee->type), id, instances_[number].id);
  return id;
}

// Whether a call of the function may discard. Effects say so after ComputeEffects; this needs no such promise.
bool Emitter::Discards(const ir::Function* function) {
  std::optional<bool>& known = function_facts_[function->id].discards;
  if (known) return *known;
  known = false;  // WGSL has no recursion; a cycle from elsewhere ends here
  bool discards = false;
  auto& body = const_cast<ir::Block&>(function->body);  // the walk hands out slots for passes; nothing is written here
  ir::WalkStmts(body, [&](ir::Stmt& stmt) {
    discards = discards || stmt.Is(ir::StmtKind::kDiscard);
    ir::ForEachExpr(stmt, [&](ir::Expr*& root) {
      ir::WalkExpr(root, [&](ir::Expr*& expr) {
        if (!discards && expr->Is(ir::ExprKind::kCall)) discards = Discards(expr->callee());
      });
    });
  });
  known = discards;
  return discards;
}

std::vector<const ir::Var*> Emitter::Closure(uint32_t root) {
  std::vector<const ir::Var*> vars;
  std::vector<bool>& seen = is_seen_;
  std::vector<uint32_t>& work = work_;
  seen.assign(instances_.size(), false);
  work.assign(1, root);
  seen[root] = true;
  while (!work.empty()) {
    const Instance& instance = instances_[work.back()];
    work.pop_back();
    for (const ir::Var* var : instance.uses) {
      if (in_closure_[var->id]) continue;
      in_closure_[var->id] = true;
      vars.push_back(var);
    }
    for (uint32_t callee : instance.calls) {
      if (seen[callee]) continue;
      seen[callee] = true;
      work.push_back(callee);
    }
  }
  for (const ir::Var* var : vars) in_closure_[var->id] = false;
  std::sort(vars.begin(), vars.end(), [](const ir::Var* a, const ir::Var* b) { return a->id < b->id; });
  return vars;
}

Result<std::vector<uint32_t>> Emitter::Run() {
  const size_t errors = sink_.error_count();
  glsl_id_ = NewId();
  for (const ir::Function* function : module_.functions) {
    if (function->entry == nullptr) continue;
    const auto& wanted = options_.entry_points;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), function->name) == wanted.end()) continue;
    EmitEntryPoint(function);
  }
  if (sink_.error_count() != errors) return sink_.FailedBecauseReported();
  if (!count_members_.empty()) DeclareTextureCounts();

  Words head;
  Need(spv::Capability::kShader);
  // "There is at least one OpEntryPoint instruction, unless the Linkage capability is being used."
  // https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html#_logical_layout_of_a_module
  if (entry_points_.size() == 0) Need(spv::Capability::kLinkage);
  std::sort(capabilities_.begin(), capabilities_.end());
  for (spv::Capability capability : capabilities_) head.Op(spv::Op::kCapability, capability);
  std::sort(extensions_.begin(), extensions_.end());
  for (std::string_view extension : extensions_) head.OpString(spv::Op::kExtension, {}, extension);
  const Id glsl[] = {glsl_id_};
  head.OpString(spv::Op::kExtInstImport, glsl, "GLSL.std.450");
  head.Op(spv::Op::kMemoryModel, 0u, 1u);  // Logical, GLSL450

  std::vector<uint32_t> words = {spv::kMagic, options_.version, 0, next_id_, 0};
  size_t total = words.size();
  const Words* sections[] = {&head,   &entry_points_, &execution_modes_, &strings_,
                             &names_, &decorations_,  &globals_,         &functions_};
  for (const Words* section : sections) total += section->size();
  words.reserve(total);
  PreferLargePages(words.data(), total * sizeof(uint32_t));
  for (const Words* section : sections) words.insert(words.end(), section->data(), section->data() + section->size());
  return words;
}

Result<std::vector<uint32_t>> Emit(const ir::Module& module, const Options& options, diag::Sink& sink) {
  KILN_CHECK(options.version >= 0x00010300 && options.version <= 0x00010600);
  return Emitter(module, options, sink).Run();
}

}  // namespace kiln::emit::spirv
