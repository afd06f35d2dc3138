// SPDX-License-Identifier: Apache-2.0
//
// Output: the front end's side of the pipe into which the last command prints.
//
// It hands the bytes on in order, as they come, in pieces of at most kPiece bytes. Whatever goes
// wrong, the taker's own no included, gives it up: the reading end closes, so the writers lose
// their reader, and the first error is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "os/sys/handle.h"

namespace holdfast::supervise {

using TakeOutput = std::function<Result<>(std::string_view bytes)>;

class Output {
 public:
  static constexpr std::size_t kPiece = 65536;  // what a pipe holds

  Output(os::Handle read_end, const TakeOutput& take)
      : read_end_(std::move(read_end)), take_(take) {}

  // Readable: take_some() does not block. Empty: it has ended or was given up.
  [[nodiscard]] const os::Handle& handle() const { return read_end_; }
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  // Waits for what comes next.
  void take_some();
  // Takes all that is there and waits for nothing: for when the writers are gone, so that what they
  // wrote is there. Where it has not ended then, somebody else holds the pipe.
  void take_rest();
  void give_up(Error error);

 private:
  os::Handle read_end_;
  const TakeOutput& take_;
  std::vector<char> buffer_;  // made when first needed
  std::uint64_t bytes_ = 0;
  bool ended_ = false;
  std::optional<Error> error_;
};

}  // namespace holdfast::supervise
