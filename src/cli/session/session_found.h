// SPDX-License-Identifier: Apache-2.0
//
// Sessions for the commands that only look: finding one, its run, and printing a log. Nothing is
// made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "loop/series/log_follower.h"
#include "session/record/log_files.h"
#include "session/record/store.h"
#include "session/record/view.h"

namespace holdfast::cli {

inline constexpr ArgumentSpec kSessionArgument{.name = "NAME", .help = "the name of the session"};

// "reserved, starting, …", for messages.
std::string all_state_words();

// kNotFound `no-such-session`; what cannot be read is another error.
Result<session::SessionDir> find_session(const Context& context, const std::string& name);

// The run of a session that was asked for: the newest, or an earlier one with --run.
inline constexpr OptionSpec kRunOption{.name = "run",
                                       .kind = OptionKind::kInteger,
                                       .value = "N",
                                       .help = "its run with the number N instead of the last one"};

struct ChosenRun {
  session::SessionView view{};
  std::optional<os::Dir> earlier{};  // where the files of an earlier run lie

  // Where its files lie.
  [[nodiscard]] const os::Dir& dir(const session::SessionDir& session) const {
    return earlier ? *earlier : session.dir();
  }
};

// kNotFound `no-such-session`, `no-such-run`.
Result<ChosenRun> choose_run(const session::SessionDir& dir, std::optional<std::uint64_t> number);

// LogPrinter: the bytes of a log on stdout; as they are, or under --json one object for each line.
//
//   {"line":"what it printed"}
//
// A line longer than kMostLine is cut into pieces. Bytes that are no UTF-8 become U+FFFD.
class LogPrinter final : public loop::LogSink {
 public:
  static constexpr std::size_t kMostLine = std::size_t{1} << 20U;

  explicit LogPrinter(Context& context) : context_(context) {}

  enum class Go : std::uint8_t {
    kToTheEnd,  // of what was there when the log was opened, or a little more
    kOn,        // through every file that it goes on in meanwhile
  };
  Result<> print_all(session::LogReader& log, Go go);
  Result<> show(session::LogReader& log) override { return print_all(log, Go::kOn); }
  // The last line may have no end.
  Result<> finish() override;
  const os::Handle* reader_gone() override { return context_.reader_gone(); }

 private:
  Result<> print(std::string_view bytes);
  Result<> print_line(std::string_view line);

  Context& context_;
  std::string unfinished_;
};

}  // namespace holdfast::cli
