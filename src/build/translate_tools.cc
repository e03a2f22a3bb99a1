// SPDX-License-Identifier: Apache-2.0
#include "build/translate_tools.h"

#include <chrono>

#include "base/clock.h"
#include "build/project.h"

namespace kiln::build {

Result<std::unique_ptr<TranslateTools>> TranslateTools::Open(const TranslateOptions& options, bool needs_toolchain,
                                                             unsigned jobs, diag::Sink& sink) {
  std::unique_ptr<TranslateTools> tools(new TranslateTools);
  const std::string cache_folder = options.no_cache ? "" : CacheFolderOf(options.cache_folder);
  if (needs_toolchain) {
    worker::DiscoveryOptions discovery;
    if (!options.tool_folder.empty()) discovery.folders = {options.tool_folder};
    discovery.cache_folder = cache_folder;
    auto chosen = ChooseToolchain(Config(), options.toolchain, worker::Discover(discovery), sink);
    if (!chosen) return sink.FailedBecauseReported();
    tools->toolchain_ = std::move(*chosen);
  }
  worker::PoolOptions pool;
  if (jobs != 0) pool.jobs = static_cast<int>(jobs);
  if (options.deadline_seconds != 0) pool.deadline = std::chrono::seconds(options.deadline_seconds);
  if (options.memory_mib != 0) pool.memory_limit = uint64_t{options.memory_mib} << 20;
  tools->runner_ = PoolRunner(tools->toolchain_, pool);
  tools->store_.emplace(SystemDisk(), SystemClock(), cache_folder);
  tools->executor_.emplace(*tools->store_, *tools->runner_, tools->toolchain_.digest, 2 * jobs + 2);
  return tools;
}

}  // namespace kiln::build
