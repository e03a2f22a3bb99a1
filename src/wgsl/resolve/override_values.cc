// SPDX-License-Identifier: Apache-2.0
#include "wgsl/resolve/override_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "base/edit_distance.h"
#include "core/eval.h"
#include "wgsl/resolve/resolver.h"

namespace kiln::wgsl::resolve {

std::string OverrideKey(const ast::Variable& variable, const NameTable& names) {
  const VariableInfo& info = *InfoOf(variable);
  return info.id ? std::to_string(*info.id) : std::string(names.Text(variable.name));
}

namespace {

constexpr size_t kMostNamed = 12;  // overrides that a hint lists

class Taker {
 public:
  Taker(ModuleInfo& info, const NameTable& names, Arena& arena, diag::Sink& sink, const Pipeline& pipeline)
      : info_(info), names_(names), arena_(arena), sink_(sink), pipeline_(pipeline) {}

  void Run();

 private:
  void ReportUnknown(std::string_view key);
  void Give(ast::Variable* variable, const OverrideValue& given);
  std::string_view Text(Name name) const { return names_.Text(name); }

  ModuleInfo& info_;
  const NameTable& names_;
  Arena& arena_;
  diag::Sink& sink_;
  const Pipeline& pipeline_;
};

void Taker::Run() {
  for (const OverrideValue& given : pipeline_.overrides) {
    ast::Variable* found = nullptr;
    for (ast::Variable* variable : info_.globals) {
      if (variable->variable_kind == ast::VariableKind::kOverride && OverrideKey(*variable, names_) == given.key)
        found = variable;
    }
    if (found != nullptr) {
      Give(found, given);
    } else {
      ReportUnknown(given.key);
    }
  }
}

void Taker::ReportUnknown(std::string_view key) {
  std::vector<std::string> keys;
  std::vector<std::string_view> names;  // as written, of the same overrides
  for (const ast::Variable* variable : info_.globals) {
    if (variable->variable_kind != ast::VariableKind::kOverride) continue;
    keys.push_back(OverrideKey(*variable, names_));
    names.push_back(Text(variable->name));
  }
  const bool is_number = !key.empty() && key.find_first_not_of("0123456789") == std::string_view::npos;
  auto error = sink_.Error(info_.module->range, "unknown-override");
  error << "the module has no override " << (is_number ? "with @id(" : "'") << key << (is_number ? ")" : "'");
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  if (const auto at = std::find(names.begin(), names.end(), key); at != names.end()) {
    error.Hint("'" + std::string(key) + "' has an @id, which is its name here: " + keys[size_t(at - names.begin())]);
    return;
  }
  // A near miss of a name may be that of an override whose key is its @id.
  std::vector<std::string_view> both = views;
  both.insert(both.end(), names.begin(), names.end());
  const std::string_view near = is_number ? std::string_view() : NearestName(key, both);
  if (!near.empty()) {
    const auto named = std::find(names.begin(), names.end(), near);
    const std::string& meant = keys[size_t(named - names.begin())];
    error.Hint("did you mean '" + std::string(near) + "'" +
               (meant == near ? "?" : ", named here by its @id: " + meant));
  } else if (keys.empty()) {
    error.Hint("it has no overrides");
  } else {
    std::string all;
    for (size_t i = 0; i < keys.size() && i < kMostNamed; ++i) all += (i == 0 ? "'" : ", '") + keys[i] + "'";
    error.Hint("it has " + all + (keys.size() > kMostNamed ? ", ..." : ""));
  }
}

// https://www.w3.org/TR/webgpu/#to-wgsl-type
void Taker::Give(ast::Variable* variable, const OverrideValue& given) {
  const Type* type = variable->type;
  const double value = given.value;
  const auto refuse = [&](std::string_view hint) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value);
    auto error = sink_.Error(variable->name_range, "bad-override-value");
    error << "the override '" << Text(variable->name) << "'";
    if (InfoOf(*variable)->id) error << ", @id(" << *InfoOf(*variable)->id << "),";
    error << " cannot be " << (given.text.empty() ? std::string_view(digits, size_t(end.ptr - digits)) : given.text)
          << ": it is of type '" << core::TypeName(type) << "'";
    error.Hint(std::string(hint));
  };
  if (!std::isfinite(value)) return refuse("the value of an override is finite");
  const double whole = std::trunc(value);
  const bool is_word = given.text == "true" || given.text == "false";
  if (pipeline_.wants_exact && is_word && !type->Is(TypeKind::kBool)) return refuse("true and false are for bool only");
  const bool is_whole = whole == value || !pipeline_.wants_exact;
  switch (type->kind) {
    case TypeKind::kBool:
      if (pipeline_.wants_exact && value != 0 && value != 1) return refuse("a bool is true or false, or 1 or 0");
      variable->value = core::Constant::Bool(value != 0);
      break;
    case TypeKind::kI32:
      if (!is_whole || whole < -2147483648.0 || whole > 2147483647.0) {
        return refuse("an i32 is a whole number from -2147483648 to 2147483647");
      }
      variable->value = core::Constant::Int(arena_, type, static_cast<int64_t>(whole));
      break;
    case TypeKind::kU32:
      if (!is_whole || whole < 0 || whole > 4294967295.0) return refuse("a u32 is a whole number from 0 to 4294967295");
      variable->value = core::Constant::Int(arena_, type, static_cast<int64_t>(whole));
      break;
    case TypeKind::kF32:
    case TypeKind::kF16: {
      const bool is_f32 = type->Is(TypeKind::kF32);
      const double rounded = is_f32 ? core::RoundToF32(value) : core::RoundToF16(value);
      if (!std::isfinite(rounded)) {
        return refuse(is_f32 ? "an f32 is at most 3.4028234663852886e+38, and at least that below zero"
                             : "an f16 is at most 65504, and at least that below zero");
      }
      variable->value = core::Constant::Float(arena_, type, rounded);
      break;
    }
    default:
      KILN_UNREACHABLE("an override is a scalar");
  }
  InfoOf(*variable)->is_given = true;
}

}  // namespace

void TakeOverrideValues(ModuleInfo& info, const NameTable& names, Arena& arena, diag::Sink& sink,
                        const Pipeline& pipeline) {
  Taker(info, names, arena, sink, pipeline).Run();
}

}  // namespace kiln::wgsl::resolve
