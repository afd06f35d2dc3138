// SPDX-License-Identifier: Apache-2.0
//
// Claims: who still counts on what a run left in its session's directory. A clean-up asks before it
// takes one (rule G6). owner_of: who counts the runs of a session, so that nobody else runs its
// command again.
//
//   series   the series in it is not over, or nobody was told its outcome yet
//   loop     an item's command, or the command of its notice, was intended and not counted yet
//   step     the same for `once`, `attempt` or `notify`
//
// Guarantee, for a caller that holds the lock of the session's name and calls read() after it got
// it: every intent whose run left something in the directory is seen. An intent is durable before
// its supervisor asks for the name, and stays open until the outcome of the run was counted. An
// intent that is written later belongs to a run that waits for the name, and makes a new directory.
//
// Errors: a record that cannot be read is an Error (of item_log.h, series_store.h, step_store.h),
// never "nobody". A damaged log of one loop is an answer for no session at all: it may have named
// any of them. owner_of looks without locks: who begins afterwards finds the name taken, or its own
// run first.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/id128.h"
#include "base/result.h"
#include "loop/step/step_store.h"
#include "os/dir/dir.h"
#include "session/record/store.h"

namespace holdfast::loop {

class Claims {
 public:
  static Result<Claims> read(const os::Dir& home);

  // One of the three words; nullopt: nobody.
  [[nodiscard]] Result<std::optional<std::string_view>> on(
      const session::SessionDir& session) const;

 private:
  [[nodiscard]] Result<bool> has_step(const std::string& session) const;

  std::set<std::string> of_loops_;  // sessions that open intents name
  std::optional<StepStore> steps_;
};

// The same as a question, for who knows no loops: which of them counts on a session.
using ClaimQuestion =
    std::function<Result<std::optional<std::string>>(const session::SessionDir& session)>;
Result<ClaimQuestion> claims_in(const os::Dir& home);

struct SessionOwner {
  std::string what{};     // "the step 'once:K'"
  std::string instead{};  // the command that counts its runs
};
// nullopt: nobody. `run` is the session's last run: of a series only its own iterations count.
Result<std::optional<SessionOwner>> owner_of(const os::Dir& home,
                                             const session::SessionDir& session, const Id128& run);

}  // namespace holdfast::loop
