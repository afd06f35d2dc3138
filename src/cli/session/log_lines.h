// SPDX-License-Identifier: Apache-2.0
//
// LogLines: the lines of a log that were asked for, by stream, time and pattern, as text or JSON.
//
//   {"line":"what it printed","stream":"stdout","time":"2026-11-15T07:46:00.000Z"}
//
// A line is whole when its stream ends it: halves of a line that the other stream has parted are put
// together. It is of the time at which its first byte came. A line longer than kMostLine is cut into
// pieces. In JSON, bytes that are no UTF-8 become U+FFFD.
//
// What nobody can tell (a terminal, an index that was lost) is never left out for it: such lines are
// shown, and counted. A log without an index is refused (kCannotTell `no-index`) where streams or
// times were asked for.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/context.h"
#include "format/session/log_index.h"
#include "loop/series/log_follower.h"
#include "os/machine/line_pattern.h"

namespace holdfast::cli {

struct LogSelection {
  bool timestamps = false;
  std::optional<LogStream> stream{};
  std::optional<WallTime> since{};
  std::optional<os::LinePattern> pattern{};
  std::optional<std::uint64_t> tail{};  // of what is there at the start
  bool follow = false;

  [[nodiscard]] bool needs_index() const { return timestamps || stream || since; }
  [[nodiscard]] bool is_all() const { return !needs_index() && !pattern; }
};

// What the options of `logs` say. Errors: kUsage.
Result<LogSelection> log_selection(const Args& args, WallTime now);

class LogLines final : public loop::LogSink {
 public:
  static constexpr std::size_t kMostLine = std::size_t{1} << 20U;

  LogLines(Context& context, LogSelection selection)
      : context_(context), selection_(std::move(selection)) {}

  // All that is there; for who follows, on through every file that it goes on in meanwhile.
  Result<> show(session::LogReader& log) override;
  Result<> finish() override;
  const os::Handle* reader_gone() override { return context_.reader_gone(); }

 private:
  struct Line {
    std::string text{};
    LogStream from = LogStream::kMixed;
    std::optional<WallTime> time{};
    bool ended = true;  // by a newline
  };

  Result<> take(const session::LogPiece& piece);
  Result<> end_line(Line line);
  Result<> print(const Line& line);
  Result<> print_kept();
  [[nodiscard]] bool wants(const Line& line);

  Context& context_;
  LogSelection selection_;
  std::array<Line, 3> open_;  // of each stream, what has no end yet
  std::deque<Line> kept_;     // for --tail
  bool caught_up_ = false;    // what was there at the start has been shown
  bool checked_ = false;      // that there is an index
  std::uint64_t untold_ = 0;  // lines that are shown because nobody can tell
};

}  // namespace holdfast::cli
