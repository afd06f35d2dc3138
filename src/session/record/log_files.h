// SPDX-License-Identifier: Apache-2.0
//
// LogReader: what a run printed, oldest byte first, through `out.log.1` and `out.log`; and, for who
// follows, on through every rotation.
//
//   auto log = HF_TRY(LogReader::open(dir, number));     // nullopt: no such run, or it kept no log
//   HF_TRY(log.skip_to_last_lines(10));
//   for (;;) {
//     const std::string bytes = HF_TRY(log.read_some());  // empty: nothing more now
//     …
//   }
//
// Guarantee: bytes come once each and in order, also while the log is rotated or moved to
// runs/<n>/. Nothing of another run is ever read as of this one.
//
// Limits: what was rotated away before it was read is gone; overtaken() says that it may have
// happened. A log may begin in the middle of a line where its beginning was rotated away.
// Errors: those of session/record/own_file.h, and of reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "base/result.h"
#include "os/dir/dir.h"
#include "os/file/file.h"
#include "session/record/store.h"

namespace holdfast::session {

class LogReader {
 public:
  // `dir` must outlive it.
  static Result<std::optional<LogReader>> open(const SessionDir& dir, std::uint64_t number);

  // From here on only the last `lines` lines of what is there now; before anything was read.
  [[nodiscard]] Result<> skip_to_last_lines(std::uint64_t lines);
  // What comes next, in pieces.
  [[nodiscard]] Result<std::string> read_some();
  // Looks whether the log goes on in another file. To be called when read_some() has nothing more;
  // true: it may have something again.
  [[nodiscard]] Result<bool> look_for_more();

  [[nodiscard]] bool overtaken() const { return overtaken_; }

 private:
  struct Part {
    os::File file;
    os::FileId id;
    std::uint64_t offset = 0;
  };
  LogReader(const SessionDir& dir, std::uint64_t number) : dir_(&dir), number_(number) {}

  Result<> find_parts();
  static Result<std::optional<Part>> open_part(const os::Dir& dir, const os::SafeName& name);
  [[nodiscard]] Result<bool> is_newest() const;

  const SessionDir* dir_;
  std::uint64_t number_;
  std::deque<Part> parts_;  // the first is being read
  bool overtaken_ = false;
};

}  // namespace holdfast::session
