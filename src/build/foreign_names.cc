// SPDX-License-Identifier: Apache-2.0
#include "build/foreign_names.h"

#include <algorithm>

#include "base/paths.h"

namespace kiln::build {

std::string GlslcOutputName(std::string_view input, std::string_view extension) {
  std::string_view name = path::FileName(input);
  const std::string_view own = path::Extension(name);
  const auto stages = AllStages();
  // The extension of a stage stays: two stages of one name would meet.
  const bool is_stage = std::any_of(stages.begin(), stages.end(),
                                    [&](Stage stage) { return own.size() > 1 && own.substr(1) == ExtensionOf(stage); });
  if (!is_stage) name.remove_suffix(own.size());
  return std::string(name) + "." + std::string(extension);
}

std::string GlslangOutputName(Stage stage) { return std::string(ExtensionOf(stage)) + ".spv"; }

}  // namespace kiln::build
