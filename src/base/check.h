// SPDX-License-Identifier: Apache-2.0
// Broken invariants. A failed check is a bug of Kiln, never of its input: it prints what broke and aborts, so that
// tests and fuzzers count it as a failure and never as a rejection.
#pragma once

namespace kiln {

[[noreturn]] void CheckFailed(const char* what, const char* file, int line);

}  // namespace kiln

#define KILN_CHECK(condition) \
  (static_cast<bool>(condition) ? void(0) : ::kiln::CheckFailed("check failed: " #condition, __FILE__, __LINE__))
#define KILN_UNREACHABLE(what) ::kiln::CheckFailed("unreachable: " what, __FILE__, __LINE__)
