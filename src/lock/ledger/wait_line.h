// SPDX-License-Identifier: Apache-2.0
//
// The queue of one process before one lock: whoever wants to wait stands in line, and only the
// first waits in the kernel, with its helper thread. A thousand waiting threads of one process cost
// one kernel wait.
#pragma once

#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/result.h"
#include "os/file/file.h"
#include "os/lock/blocked_wait.h"

namespace holdfast::lock {

class WaitLine;

struct LineKey {
  os::FileId ledger;
  unsigned kind = 0;  // the caller's own distinction
  auto operator<=>(const LineKey&) const = default;
};

// The first place; the next one's turn comes when it goes.
class Turn {
 public:
  Turn() = default;
  Turn(Turn&& other) noexcept : line_(std::move(other.line_)) { other.line_.reset(); }
  Turn& operator=(Turn&&) = delete;
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn();

 private:
  friend Result<std::optional<Turn>> stand_in_line(const LineKey&, const os::Flag*,
                                                   std::optional<MonoTime>);
  explicit Turn(std::shared_ptr<WaitLine> line) : line_(std::move(line)) {}
  std::shared_ptr<WaitLine> line_;
};

// nullopt: the time was over, or `cancel` was raised.
Result<std::optional<Turn>> stand_in_line(const LineKey& key, const os::Flag* cancel,
                                          std::optional<MonoTime> until);

}  // namespace holdfast::lock
