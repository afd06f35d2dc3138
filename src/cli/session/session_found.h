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

// LogPrinter: the bytes of a log on stdout, as they are.
class LogPrinter final : public loop::LogSink {
 public:
  LogPrinter(Context& context, bool follow) : context_(context), follow_(follow) {}

  // Who follows goes on through every file that the log goes on in meanwhile; else to the end of
  // what was there when it was opened, or a little more.
  Result<> show(session::LogReader& log) override;
  Result<> finish() override { return {}; }
  const os::Handle* reader_gone() override { return context_.reader_gone(); }

 private:
  Context& context_;
  bool follow_;
};

}  // namespace holdfast::cli
