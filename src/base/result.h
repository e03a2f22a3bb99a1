// SPDX-License-Identifier: Apache-2.0
// Result<T> is a T or a Failed. A Failed carries nothing: whoever returns one has already reported why, because only
// diag::Sink can make one. Work that needs the operating system and has no sink returns Outcome<T> (base/files.h),
// whose error the caller hands to a sink.
#pragma once

#include <optional>
#include <utility>

#include "base/check.h"

namespace kiln {

namespace diag {
class Sink;
}

/// The proof that an error was reported. Only diag::Sink makes the first; it may then be copied up the call chain.
class [[nodiscard]] Failed {
 private:
  Failed() = default;
  friend class diag::Sink;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}  // NOLINT: implicit on purpose, so that `return value;` works
  Result(Failed) {}                              // NOLINT: and `return sink.Error(...) << "...";`

  explicit operator bool() const { return value_.has_value(); }
  bool ok() const { return value_.has_value(); }
  T& operator*() & {
    KILN_CHECK(ok());
    return *value_;
  }
  const T& operator*() const& {
    KILN_CHECK(ok());
    return *value_;
  }
  T&& operator*() && {
    KILN_CHECK(ok());
    return *std::move(value_);
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }

 private:
  std::optional<T> value_;
};

/// For functions that only succeed or fail: `return Done{};`.
struct Done {};

/// What a pass answers: whether it changed the module.
enum class Changed : bool { kNo, kYes };

}  // namespace kiln
