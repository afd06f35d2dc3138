// SPDX-License-Identifier: Apache-2.0
//
// Relay: from the pipe that a command prints into, to its log and to the caller's own stream.
//
// It never waits. Where the caller's stream takes nothing (a halted terminal), nothing more is read
// from the command, which then waits as it would have waited without a relay; the supervisor does
// not. Where nobody reads the caller's stream any more, the log alone goes on; without a log the
// pipe is closed, so that the command is told.
//
// Sequence: the handles into a wait; round() after it; take_rest() when all who could write are
// gone, then wait and show() until nothing is blocked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/stream/stream_writer.h"
#include "os/sys/handle.h"
#include "run/session/log_file.h"

namespace holdfast::run {

class Relay {
 public:
  static constexpr std::size_t kPiece = 65536;

  // `log` may be null and must outlive it; `which` is what it is told of the pieces.
  Relay(os::Handle from, std::optional<os::StreamWriter> to, LogFile* log,
        LogStream which = LogStream::kMixed)
      : from_(std::move(from)), to_(std::move(to)), log_(log), which_(which) {}

  void add_handles(std::vector<const os::Handle*>& readable,
                   std::vector<const os::Handle*>& writable) const;
  // Takes what is there, in bounded pieces. True: something came.
  bool round();
  // Takes and logs all that is there; for when all who could write are gone.
  void take_rest();
  // Something waits to be shown.
  [[nodiscard]] bool is_blocked() const { return shown_ < piece_.size(); }
  void show();
  // Why the caller's stream did not get all of it, where somebody still reads that: a full disk.
  [[nodiscard]] const std::optional<Error>& not_shown() const { return not_shown_; }

 private:
  bool take_piece();

  os::Handle from_;
  std::optional<os::StreamWriter> to_;
  LogFile* log_;
  LogStream which_;
  std::string piece_;  // that is being shown
  std::size_t shown_ = 0;
  std::optional<Error> not_shown_;
};

}  // namespace holdfast::run
