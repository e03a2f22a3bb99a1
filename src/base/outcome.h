// SPDX-License-Identifier: Apache-2.0
// Outcome<T> is a T or an OsError: the answer of work that asks the operating system and has no sink to report to.
// Whoever holds a sink turns the error into a diagnostic (`sink.Error("cannot-read") << outcome.error().Message()`);
// whoever does not passes it up (`if (!x) return x.error();`).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/result.h"

namespace kiln {

/// What the system refused. `path` is as it was asked for and may hold any byte; Message() makes it printable.
struct OsError {
  std::string operation;  // "open", "rename", as a user reads it
  std::string path;
  int code = 0;        // errno; 0 where the refusal is ours, then `detail` says why
  std::string detail;  // more than errno says: "is a folder", "longer than 4194304 bytes"

  bool IsAbsent() const;
  /// The disk is full, over quota or read-only: nothing is wrong with the file itself.
  bool IsNoRoom() const;
  /// "cannot open 'a/b.glsl': No such file or directory". Same text in every locale; control bytes are escaped.
  std::string Message() const;
};

/// Text that may hold any byte, as a message shows it: control bytes and invalid UTF-8 are written as \xNN.
std::string Printable(std::string_view bytes);

template <typename T>
class [[nodiscard]] Outcome {
 public:
  Outcome(T value) : value_(std::move(value)) {}        // NOLINT: implicit on purpose
  Outcome(OsError error) : error_(std::move(error)) {}  // NOLINT: implicit on purpose

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }
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

  const OsError& error() const {
    KILN_CHECK(!ok());
    return error_;
  }

 private:
  std::optional<T> value_;
  OsError error_;
};

}  // namespace kiln
