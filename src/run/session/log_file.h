// SPDX-License-Identifier: Apache-2.0
//
// LogFile: `out.log` of a session, mode 0600, bounded.
//
// When it has reached its limit it becomes `out.log.1`, which replaces the one before, and a new
// one is begun: at most twice the limit is kept. What cannot be kept (a full disk, a limit of the
// user's) is lost and counted, and the next piece is tried again: the command never waits for its
// log and never fails for it. What --on-end prints counts as well; it cannot begin a new file, so
// what goes beyond the limit of the open one is lost.
//
// Beside it lies `out.index`, which says who printed what, and when (format/session/log_index.h). A
// block of it is written before its piece of text. It is a hint: what goes wrong with it is nobody's
// trouble but of who reads it, and the text never waits for it. It is at most 64 KiB and half as
// long as its log; who prints in smaller pieces is told apart less.
//
// Limits: nothing is synced; a power cut may take the end.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "format/session/log_index.h"
#include "os/dir/dir.h"
#include "os/file/file.h"

namespace holdfast::run {

inline constexpr std::uint64_t kDefaultLogMax = std::uint64_t{64} << 20U;

class LogFile {
 public:
  // What is there of an earlier one becomes `out.log.1`. The directory and the clock must outlive
  // it. `max` is more than 0.
  static Result<LogFile> create(const os::Dir& dir, const Clock& clock, std::uint64_t max);
  // Goes on with the one that is there, for who takes over from another; a new one where there is
  // none. `bytes` and `lost` count on from what the other had counted.
  static Result<LogFile> go_on(const os::Dir& dir, const Clock& clock, std::uint64_t max,
                               std::uint64_t bytes, std::uint64_t lost);

  void write(std::string_view bytes, LogStream from);
  // From now on only the open file is written to, whatever its name leads to: for who has given the
  // name of the session back, and must not touch the log of the next run.
  void stay();

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  // that were given
  [[nodiscard]] std::uint64_t lost() const { return lost_; }
  [[nodiscard]] const std::optional<Error>& why_lost() const { return why_lost_; }

 private:
  LogFile(const os::Dir& dir, const Clock& clock, std::uint64_t max, os::File file)
      : dir_(&dir), clock_(&clock), max_(max), file_(std::move(file)) {}
  Result<> rotate();
  Result<> try_write(std::string_view bytes, LogStream from);
  void note(std::size_t length, LogStream from);
  Result<> begin_index(const LogIndexBlock& first);
  Result<> find_index();

  const os::Dir* dir_;
  const Clock* clock_;
  std::uint64_t max_;
  std::optional<os::File> file_;
  std::uint64_t size_ = 0;
  std::optional<os::File> index_;  // made for the first piece of the open log
  std::uint64_t index_size_ = 0;
  std::uint64_t indexed_to_ = 0;  // of the log, where an entry speaks of what is still to come
  bool no_index_ = false;         // of the open log
  bool staying_ = false;
  std::uint64_t bytes_ = 0;
  std::uint64_t lost_ = 0;
  std::optional<Error> why_lost_;
};

}  // namespace holdfast::run
