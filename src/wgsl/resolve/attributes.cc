// SPDX-License-Identifier: Apache-2.0
// Attributes: where each may stand, and what its arguments are. https://www.w3.org/TR/WGSL/#attributes
#include "base/edit_distance.h"
#include "wgsl/resolve/resolver.h"

namespace kiln::wgsl::resolve {

namespace {

using ast::AttributeKind;

constexpr uint32_t Bit(AttributeKind kind) { return 1u << static_cast<uint32_t>(kind); }

constexpr uint32_t kIo = Bit(AttributeKind::kBuiltin) | Bit(AttributeKind::kLocation) |
                         Bit(AttributeKind::kInterpolate) | Bit(AttributeKind::kInvariant);

uint32_t AllowedAt(Place place) {
  switch (place) {
    case Place::kVariable:
      return Bit(AttributeKind::kGroup) | Bit(AttributeKind::kBinding);
    case Place::kOverride:
      return Bit(AttributeKind::kId);
    case Place::kFunction:
      return Bit(AttributeKind::kMustUse) | Bit(AttributeKind::kVertex) | Bit(AttributeKind::kFragment) |
             Bit(AttributeKind::kCompute) | Bit(AttributeKind::kWorkgroupSize) | Bit(AttributeKind::kSubgroupSize) |
             Bit(AttributeKind::kDiagnostic);
    case Place::kParam:
    case Place::kReturn:
      return kIo;
    case Place::kMember:
      return kIo | Bit(AttributeKind::kBlendSrc) | Bit(AttributeKind::kAlign) | Bit(AttributeKind::kSize);
    case Place::kStatement:
      return Bit(AttributeKind::kDiagnostic);
    case Place::kLocal:
    case Place::kConst:
    case Place::kOther:
      return 0;
  }
  return 0;
}

std::string_view NameOf(Place place) {
  switch (place) {
    case Place::kVariable:
      return "a module-scope var";
    case Place::kOverride:
      return "an override";
    case Place::kFunction:
      return "a function";
    case Place::kParam:
      return "a parameter";
    case Place::kReturn:
      return "a return type";
    case Place::kMember:
      return "a structure member";
    case Place::kStatement:
      return "a statement";
    case Place::kLocal:
      return "a declaration in a function";
    case Place::kConst:
      return "a const";
    case Place::kOther:
      return "this declaration";
  }
  return "";
}

}  // namespace

bool Resolver::CheckAttributes(const ast::Attributes& attributes, Place place) {
  if (attributes.empty()) return true;
  const uint32_t allowed = AllowedAt(place);
  uint32_t seen = 0;
  bool fine = true;
  for (const ast::Attribute* attribute : attributes) {
    const uint32_t bit = Bit(attribute->attribute);
    if ((allowed & bit) == 0) {
      Error(attribute->range, "attribute-not-allowed")
          << "@" << ast::AttributeName(attribute->attribute) << " cannot stand on " << NameOf(place);
      fine = false;
      continue;
    }
    if ((seen & bit) != 0 && attribute->attribute != AttributeKind::kDiagnostic) {
      Error(attribute->range, "repeated-attribute")
              .Note(ast::Find(attributes, attribute->attribute)->range, "written before here")
          << "@" << ast::AttributeName(attribute->attribute) << " is written twice";
      fine = false;
    }
    seen |= bit;
  }
  return fine;
}

bool Resolver::ConstInteger(const ast::Attribute* attribute, int64_t least, int64_t& value) {
  ast::Expr* arg = attribute->args.front();
  const Type* type = Value(arg);
  if (type->is_poison()) return false;
  if (!type->is_integer_scalar()) {
    Error(arg->range, "bad-attribute-argument") << "@" << ast::AttributeName(attribute->attribute)
                                                << " takes an 'i32' or 'u32', not a value of type " << Quoted(type);
    return false;
  }
  if (!RequirePhase(arg, ast::Phase::kConst, std::string("@") + ast::AttributeName(attribute->attribute))) return false;
  if (Materialize(arg)->is_poison() || arg->value == nullptr) return false;
  value = arg->value->i();
  if (value >= least) return true;
  Error(arg->range, "bad-attribute-argument")
      << "@" << ast::AttributeName(attribute->attribute) << " must be "
      << (least == 0 ? "at least zero" : "greater than zero") << ", not " << value;
  return false;
}

namespace {

/// The name that a context-dependent argument is; none after an error of the parser.
const ast::Ident* NameArgument(const ast::Attribute* attribute, size_t index) {
  return index < attribute->args.size() ? attribute->args[index]->TryAs<ast::Ident>() : nullptr;
}

template <typename E>
std::string NearHint(std::string_view text) {
  const std::string_view near = NearestName(text, core::AllNames<E>());
  return near.empty() ? std::string() : "did you mean '" + std::string(near) + "'?";
}

/// What must be there besides the extension that core names. https://www.w3.org/TR/WGSL/#language-extensions-sec
core::LanguageFeature FeatureOf(core::BuiltinValue value) {
  switch (value) {
    case core::BuiltinValue::kSubgroupId:
    case core::BuiltinValue::kNumSubgroups:
      return core::LanguageFeature::kSubgroupId;
    case core::BuiltinValue::kGlobalInvocationIndex:
    case core::BuiltinValue::kWorkgroupIndex:
      return core::LanguageFeature::kLinearIndexing;
    default:
      return core::LanguageFeature::kNone;
  }
}

}  // namespace

void Resolver::ResolveBuiltinAttribute(const ast::Attribute* attribute, core::IoAttributes& io) {
  const ast::Ident* name = NameArgument(attribute, 0);
  if (name == nullptr) return;
  const std::string_view text = Text(name->name);
  const auto builtin = core::ParseBuiltinValue(text);
  if (!builtin) {
    auto error = Error(name->range, "unknown-builtin-value");
    error << "there is no built-in value '" << text << "'";
    if (auto hint = NearHint<core::BuiltinValue>(text); !hint.empty()) error.Hint(std::move(hint));
    return;
  }
  if (!CheckExtension(core::Info(*builtin).extension, FeatureOf(*builtin), "@builtin(" + std::string(text) + ")",
                      attribute->range)) {
    return;
  }
  io.builtin = *builtin;
  const ast::Ident* mode = NameArgument(attribute, 1);
  if (mode == nullptr) return;
  const auto depth_mode = core::ParseDepthMode(Text(mode->name));
  if (*builtin != core::BuiltinValue::kFragDepth) {
    Error(mode->range, "depth-mode-not-allowed") << "only @builtin(frag_depth) takes a depth mode";
  } else if (!depth_mode) {
    auto error = Error(mode->range, "unknown-depth-mode");
    error << "there is no depth mode '" << Text(mode->name) << "'";
    if (auto hint = NearHint<core::DepthMode>(Text(mode->name)); !hint.empty()) error.Hint(std::move(hint));
  } else if (CheckExtension(core::Extension::kNone, core::LanguageFeature::kFragmentDepth, "a depth mode",
                            mode->range)) {
    io.depth_mode = *depth_mode;
  }
}

void Resolver::ResolveInterpolateAttribute(const ast::Attribute* attribute, core::IoAttributes& io) {
  const ast::Ident* type = NameArgument(attribute, 0);
  if (type == nullptr) return;
  io.interpolation = core::ParseInterpolationType(Text(type->name));
  if (!io.interpolation) {
    auto error = Error(type->range, "unknown-interpolation");
    error << "there is no interpolation type '" << Text(type->name) << "'";
    if (auto hint = NearHint<core::InterpolationType>(Text(type->name)); !hint.empty()) error.Hint(std::move(hint));
    return;
  }
  const ast::Ident* sampling = NameArgument(attribute, 1);
  if (sampling == nullptr) return;
  io.sampling = core::ParseInterpolationSampling(Text(sampling->name));
  if (!io.sampling) {
    auto error = Error(sampling->range, "unknown-interpolation");
    error << "there is no interpolation sampling '" << Text(sampling->name) << "'";
    if (auto hint = NearHint<core::InterpolationSampling>(Text(sampling->name)); !hint.empty())
      error.Hint(std::move(hint));
    return;
  }
  // https://www.w3.org/TR/WGSL/#interpolation
  const bool is_flat = *io.interpolation == core::InterpolationType::kFlat;
  const bool is_provoking =
      *io.sampling == core::InterpolationSampling::kFirst || *io.sampling == core::InterpolationSampling::kEither;
  if (is_flat != is_provoking) {
    Error(attribute->range, "bad-interpolation")
        << "the interpolation type '" << core::Name(*io.interpolation) << "' goes with "
        << (is_flat ? "'first' and 'either'" : "'center', 'centroid' and 'sample'") << ", not with '"
        << core::Name(*io.sampling) << "'";
  }
}

void Resolver::ResolveIo(const ast::Attributes& attributes, core::IoAttributes& io) {
  for (const ast::Attribute* attribute : attributes) {
    int64_t number = 0;
    switch (attribute->attribute) {
      case AttributeKind::kLocation:
        if (ConstInteger(attribute, 0, number)) io.location = static_cast<uint32_t>(number);
        break;
      case AttributeKind::kBlendSrc:
        if (!CheckExtension(core::Extension::kDualSourceBlending, core::LanguageFeature::kNone, "@blend_src",
                            attribute->range) ||
            !ConstInteger(attribute, 0, number)) {
          break;
        }
        if (number > 1) {
          Error(attribute->args.front()->range, "bad-attribute-argument")
              << "@blend_src must be 0 or 1, not " << number;
        } else {
          io.blend_src = static_cast<uint32_t>(number);
        }
        break;
      case AttributeKind::kBuiltin:
        ResolveBuiltinAttribute(attribute, io);
        break;
      case AttributeKind::kInterpolate:
        ResolveInterpolateAttribute(attribute, io);
        break;
      case AttributeKind::kInvariant:
        io.invariant = true;
        break;
      default:
        break;
    }
  }
}

}  // namespace kiln::wgsl::resolve
