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

#include "base/clock.h"
#include "base/result.h"
#include "format/session/log_index.h"
#include "os/dir/dir.h"
#include "os/file/file.h"
#include "session/record/store.h"

namespace holdfast::session {

// A part of the text that came at one time from one stream.
struct LogPiece {
  std::string bytes{};
  LogStream from = LogStream::kMixed;
  std::optional<WallTime> time{};  // nullopt: the index says nothing of it
};

// The index of one log, from its beginning to its end and on as it grows.
class LogIndexReader {
 public:
  explicit LogIndexReader(os::File file) : file_(std::move(file)) {}

  // Of the log's byte at `at`: what is said of it, and of how many bytes behind it the same is said;
  // nullopt: nothing, as far as the next entry (0: no end is known). `at` never falls.
  struct Said {
    std::optional<LogIndexEntry> entry{};
    std::uint64_t length = 0;
  };
  [[nodiscard]] Result<Said> look(std::uint64_t at);

 private:
  Result<> read_next();

  os::File file_;
  std::uint64_t offset_ = kLogIndexBlock;  // of the next block
  std::string bytes_;
  std::size_t used_ = 0;
  std::optional<LogIndexEntry> now_;
  std::optional<LogIndexEntry> next_;
};

class LogReader {
 public:
  // `dir` must outlive it.
  static Result<std::optional<LogReader>> open(const SessionDir& dir, std::uint64_t number);

  // From here on only the last `lines` lines of what is there now; before anything was read.
  [[nodiscard]] Result<> skip_to_last_lines(std::uint64_t lines);
  // What comes next, in pieces.
  [[nodiscard]] Result<std::string> read_some();
  // The same, with who printed it and when. Where an index cannot be read, nobody knows.
  [[nodiscard]] Result<LogPiece> read_piece();
  // The log that is being read has an index.
  [[nodiscard]] bool has_index() const { return !parts_.empty() && parts_.front().index; }
  // Looks whether the log goes on in another file. To be called when read_some() has nothing more;
  // true: it may have something again.
  [[nodiscard]] Result<bool> look_for_more();

  [[nodiscard]] bool overtaken() const { return overtaken_; }

 private:
  struct Part {
    os::File file;
    os::FileId id;
    std::uint64_t offset = 0;
    std::optional<LogIndexReader> index{};
  };
  LogReader(const SessionDir& dir, std::uint64_t number) : dir_(&dir), number_(number) {}

  Result<> find_parts();
  void find_index(Part& part) const;
  static Result<std::optional<Part>> open_part(const os::Dir& dir, const os::SafeName& name);
  [[nodiscard]] Result<bool> is_newest() const;

  const SessionDir* dir_;
  std::uint64_t number_;
  std::deque<Part> parts_;  // the first is being read
  bool overtaken_ = false;
};

}  // namespace holdfast::session
