// SPDX-License-Identifier: Apache-2.0
// What an entry point takes and returns. https://www.w3.org/TR/WGSL/#entry-point-decl
#include <algorithm>

#include "base/inline_vector.h"
#include "wgsl/validate/io.h"

namespace kiln::wgsl::validate {

using ast::AttributeKind;

namespace {

std::string_view StageName(core::Stage stage) {
  switch (stage) {
    case core::Stage::kVertex:
      return "vertex";
    case core::Stage::kFragment:
      return "fragment";
    case core::Stage::kCompute:
      return "compute";
  }
  KILN_UNREACHABLE("a stage without a name");
}

/// The inputs, or the outputs, of one entry point.
class Interface {
 public:
  Interface(Context& context, const resolve::FunctionInfo& info, bool is_input)
      : context_(context), info_(info), stage_(info.entry_point->stage), is_input_(is_input) {}

  /// A parameter, or the return type.
  void Add(const IoDatum& datum) {
    const auto* type = datum.type->As<core::StructType>();
    if (type == nullptr) {
      if (CheckIoDatum(context_, datum)) AddDatum(datum);
      return;
    }
    // https://www.w3.org/TR/WGSL/#entry-point-decl: of a structure, the members are the data.
    for (const ast::Attribute* attribute : *datum.attributes) {
      context_.sink.Error(attribute->range, "io-attribute-on-structure")
          << "@" << ast::AttributeName(attribute->attribute)
          << " cannot stand on a structure; its members have the attributes";
      return;
    }
    const auto* decl = static_cast<const ast::Struct*>(type->owner);
    for (size_t i = 0; i < type->members.size(); ++i) {
      const core::StructMember& member = type->members[i];
      const ast::StructMember* member_decl = decl->members[i];
      if (member.type->Is(core::TypeKind::kStruct)) {
        context_.sink.Error(member_decl->name_range, "nested-io-structure")
                .Note(info_.decl->name_range, "used as " + Direction() + " of this entry point")
            << "structures cannot be nested in what an entry point takes or returns";
        return;
      }
      // What is wrong with a member alone was reported with its structure.
      AddDatum({&member.io, member.type, &member_decl->attributes, member_decl->name_range, true});
    }
  }

  void Finish() {
    CheckDuplicates();
    if (stage_ == core::Stage::kVertex && !is_input_ && !Has(core::BuiltinValue::kPosition)) {
      context_.sink.Error(info_.decl->name_range, "no-position") << "a vertex shader must return @builtin(position)";
    }
  }

 private:
  std::string Direction() const { return is_input_ ? "an input" : "an output"; }
  bool Has(core::BuiltinValue value) const {
    return std::any_of(data_.begin(), data_.end(), [&](const IoDatum& d) { return d.io->builtin == value; });
  }

  std::string HintForMissing() const {
    switch (stage_) {
      case core::Stage::kCompute:
        return is_input_
                   ? "what a compute shader takes are built-in values, as '@builtin(global_invocation_id) id: vec3u'"
                   : "a compute shader returns nothing; it writes to storage buffers and storage textures";
      case core::Stage::kVertex:
        return is_input_ ? "write '@location(0)' before it for the first attribute of the vertex, and so on"
                         : "write '@builtin(position)' before the place of the vertex, and '@location(0)' and so on "
                           "before what a fragment shader reads";
      case core::Stage::kFragment:
        return is_input_ ? "write the '@location' of the vertex shader's output before it, or a '@builtin'"
                         : "write '@location(0)' before the color of the first target, and so on";
    }
    KILN_UNREACHABLE("a stage without a hint");
  }

  void AddDatum(const IoDatum& datum) {
    const core::IoAttributes& io = *datum.io;
    diag::Sink& sink = context_.sink;
    if (!io.location && !io.builtin) {
      // An attribute with a bad argument has been reported and left nothing.
      if (ast::Find(*datum.attributes, AttributeKind::kLocation) != nullptr ||
          ast::Find(*datum.attributes, AttributeKind::kBuiltin) != nullptr) {
        return;
      }
      auto error = sink.Error(datum.range, "no-io-attribute");
      error << Direction() << " of an entry point needs @location or @builtin";
      error.Hint(HintForMissing());
      NoteUse(error, datum);
      return;
    }
    if (io.builtin) {
      const core::BuiltinValueInfo& facts = core::Info(*io.builtin);
      if (!(is_input_ ? facts.input : facts.output).Has(stage_)) {
        auto error = sink.Error(RangeOf(datum, AttributeKind::kBuiltin), "builtin-stage");
        error << "the built-in value '" << core::Name(*io.builtin) << "' cannot be " << Direction() << " of a "
              << StageName(stage_) << " shader";
        NoteUse(error, datum);
        return;
      }
    }
    if (io.location) {
      if (stage_ == core::Stage::kCompute) {
        auto error = sink.Error(RangeOf(datum, AttributeKind::kLocation), "location-in-compute");
        error << "a compute shader cannot have " << (is_input_ ? "inputs" : "outputs") << " with a location";
        NoteUse(error, datum);
        return;
      }
      if (!IsNumeric(datum.type)) return;
      // https://www.w3.org/TR/WGSL/#interpolation
      const bool is_interstage = (stage_ == core::Stage::kVertex) != is_input_;
      if (is_interstage && IsIntegral(datum.type) && io.interpolation != core::InterpolationType::kFlat &&
          (io.interpolation || ast::Find(*datum.attributes, AttributeKind::kInterpolate) == nullptr)) {
        auto error = sink.Error(io.interpolation ? RangeOf(datum, AttributeKind::kInterpolate) : datum.range,
                                "integer-not-flat");
        error << (is_input_ ? "an integer input of a fragment shader" : "an integer output of a vertex shader")
              << " must have @interpolate(flat)";
        NoteUse(error, datum);
        return;
      }
    }
    if (io.blend_src && (is_input_ || stage_ != core::Stage::kFragment)) {
      auto error = sink.Error(RangeOf(datum, AttributeKind::kBlendSrc), "misplaced-blend-src");
      error << "@blend_src can stand on an output of a fragment shader only";
      NoteUse(error, datum);
      return;
    }
    data_.push_back(datum);
  }

  void NoteUse(diag::Sink::Builder& error, const IoDatum& datum) const {
    if (datum.is_member) error.Note(info_.decl->name_range, "used by this entry point");
  }

  void CheckDuplicates() {
    // A location with a second blend source is another one.
    const auto key = [](const IoDatum& d) {
      if (d.io->builtin) return uint64_t{1} << 40 | static_cast<uint64_t>(*d.io->builtin);
      return uint64_t{*d.io->location} << 1 | d.io->blend_src.value_or(0);
    };
    InlineVector<const IoDatum*> sorted;
    for (const IoDatum& d : data_) sorted.push_back(&d);
    std::sort(sorted.begin(), sorted.end(),
              [&](const IoDatum* a, const IoDatum* b) { return key(*a) != key(*b) ? key(*a) < key(*b) : a < b; });
    for (size_t i = 1; i < sorted.size(); ++i) {
      const IoDatum& d = *sorted[i];
      const IoDatum& before = *sorted[i - 1];
      if (key(d) != key(before)) continue;
      // Two members of one structure with the same location were reported with it.
      const AttributeKind kind = d.io->builtin ? AttributeKind::kBuiltin : AttributeKind::kLocation;
      auto error = d.io->builtin ? context_.sink.Error(info_.decl->name_range, "duplicate-builtin")
                                 : context_.sink.Error(RangeOf(d, kind), "duplicate-location");
      if (d.io->builtin) {
        error.Note(RangeOf(before, kind), "the first").Note(RangeOf(d, kind), "the second");
      } else {
        error.Note(RangeOf(before, kind), "used before here");
      }
      error << "two " << (is_input_ ? "inputs" : "outputs") << " of the entry point "
            << context_.Quoted(info_.decl->name);
      if (d.io->builtin) {
        error << " are the built-in value '" << core::Name(*d.io->builtin) << "'";
      } else {
        error << " have the location " << *d.io->location;
      }
    }
  }

  Context& context_;
  const resolve::FunctionInfo& info_;
  const core::Stage stage_;
  const bool is_input_;
  InlineVector<IoDatum> data_;
};

}  // namespace

void CheckEntryPoints(Context& context) {
  const size_t errors_before = context.sink.error_count();
  for (const ast::Struct* decl : context.module.structs) {
    const auto* type = decl->type != nullptr ? decl->type->As<core::StructType>() : nullptr;
    if (type != nullptr) CheckIoStruct(context, decl, *type);
  }
  if (context.sink.error_count() != errors_before) return;  // the same mistakes once more otherwise
  static constexpr core::IoAttributes kNone;
  for (const resolve::FunctionInfo* info : context.module.entry_points) {
    Interface inputs(context, *info, true);
    for (const ast::Variable* param : info->decl->params) {
      const resolve::ParamInfo* param_info = resolve::ParamInfoOf(*param);
      inputs.Add(
          {param_info != nullptr ? &param_info->io : &kNone, param->type, &param->attributes, param->name_range});
    }
    inputs.Finish();
    Interface outputs(context, *info, false);
    if (info->decl->return_type_expr != nullptr) {
      outputs.Add({&info->return_io, info->decl->return_type, &info->decl->return_attributes,
                   info->decl->return_type_expr->range});
    }
    outputs.Finish();
  }
}

}  // namespace kiln::wgsl::validate
