// SPDX-License-Identifier: Apache-2.0
#include "worker/confine.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <new>

#ifdef __linux__
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

namespace kiln::worker {

void DieWithParent() {
#ifdef __linux__
  const pid_t parent = getppid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // it died before we asked
#endif
}

void LimitMemory(uint64_t bytes) {
  std::set_new_handler([] { _exit(kExitMemory); });
#if !defined(__SANITIZE_ADDRESS__)
  if (bytes == 0) return;
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
#else
  (void)bytes;
#endif
}

Confinement Confine() {
  Confinement result;
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
#ifdef __linux__
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#ifdef SYS_landlock_create_ruleset
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return result;
  // Every right that this kernel knows is handled and none is granted. Headers may be older than the kernel: the second
  // word of the attribute (network, since version 4) is spelled out.
  struct {
    uint64_t files;
    uint64_t network;
  } handled = {};
  const int file_rights = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
  handled.files = (uint64_t{1} << file_rights) - 1;
  handled.network = version >= 4 ? 3 : 0;
  const long ruleset = syscall(SYS_landlock_create_ruleset, &handled, version >= 4 ? 16 : 8, 0);
  if (ruleset < 0) return result;
  if (syscall(SYS_landlock_restrict_self, ruleset, 0) == 0) {
    result.no_files = true;
    result.no_network = version >= 4;
  }
  close(static_cast<int>(ruleset));
#endif
#endif
  return result;
}

}  // namespace kiln::worker
