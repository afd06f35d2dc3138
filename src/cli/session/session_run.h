// SPDX-License-Identifier: Apache-2.0
//
// The run of a session that was asked for: the newest, or an earlier one with --run.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "cli/frame/command.h"
#include "session/record/store.h"
#include "session/record/view.h"

namespace holdfast::cli {

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

}  // namespace holdfast::cli
