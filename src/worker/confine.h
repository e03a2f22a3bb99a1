// SPDX-License-Identifier: Apache-2.0
// What a worker gives up before it touches input from outside: files and network (Landlock, where the kernel has it),
// core dumps, new privileges, memory past its limit, and a life without its parent. Linux; elsewhere a subset.
#pragma once

#include <cstdint>

namespace kiln::worker {

/// Exit code of a worker that ran out of the memory it may have.
inline constexpr int kExitMemory = 86;

struct Confinement {
  bool no_files = false;    // opening any file is refused
  bool no_network = false;  // TCP too
};

/// The process dies when its parent does. Call first.
void DieWithParent();
/// Address space of at most `bytes` (0: no limit); a failing `new` ends the process with kExitMemory. Sanitizers map
/// terabytes, so that there only the pool's own watch counts.
void LimitMemory(uint64_t bytes);
/// Cannot be undone. What the system lacks is left out, as the answer says.
Confinement Confine();

}  // namespace kiln::worker
