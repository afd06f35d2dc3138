// SPDX-License-Identifier: Apache-2.0
#include "supervise/output.h"

#include "os/stream/pipe.h"
#include "os/watch/poll.h"

namespace holdfast::supervise {

void Output::take_some() {
  buffer_.resize(kPiece);
  const auto got = os::read_pipe(read_end_, buffer_);
  if (!got) return give_up(got.error());
  if (*got == 0) {
    ended_ = true;
    return read_end_.reset();
  }
  bytes_ += *got;
  if (auto taken = take_({buffer_.data(), *got}); !taken) give_up(std::move(taken).error());
}

void Output::take_rest() {
  while (read_end_.valid()) {
    const auto ready = os::is_readable(read_end_);
    if (!ready) return give_up(ready.error());
    if (!*ready) return;
    take_some();
  }
}

void Output::give_up(Error error) {
  if (!error_) error_ = std::move(error);
  read_end_.reset();
}

}  // namespace holdfast::supervise
