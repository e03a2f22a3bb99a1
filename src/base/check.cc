// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace kiln {

void CheckFailed(const char* what, const char* file, int line) {
  std::fprintf(stderr, "kiln: internal error: %s (%s:%d)\n", what, file, line);
  std::abort();
}

}  // namespace kiln
