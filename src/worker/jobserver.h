// SPDX-License-Identifier: Apache-2.0
// The client side of GNU make's jobserver: a token for every job at once beyond the first, which every process has by
// being started. MAKEFLAGS names a fifo (--jobserver-auth=fifo:PATH) or two inherited descriptors (R,W). Tokens are
// given back as the very bytes that were taken.
#pragma once

#include <memory>
#include <string_view>

#include "base/process.h"

namespace kiln::worker {

class Jobserver {
 public:
  /// Null where `makeflags` names no jobserver, or one that this process cannot reach (a recipe without '+').
  static std::unique_ptr<Jobserver> Connect(std::string_view makeflags);
  /// Gives all tokens back.
  ~Jobserver();

  /// Readable when a token may be had; for poll.
  int poll_fd() const { return read_.get(); }
  /// Takes a token if one can be had now.
  bool TryTake();
  /// Gives the last token back.
  void GiveBack();
  int held() const;
  /// The other side is gone: no token will come any more.
  bool is_broken() const { return is_broken_; }

 private:
  Jobserver(Fd read, Fd write);
  Fd read_;
  Fd write_;
  bool is_broken_ = false;
};

}  // namespace kiln::worker
