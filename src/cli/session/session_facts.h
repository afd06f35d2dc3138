// SPDX-License-Identifier: Apache-2.0
//
// What is shown of a session, whichever way: the view, and what follows from it and the clocks.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "lock/grant/backend.h"
#include "runtime/runtime.h"
#include "session/record/store.h"
#include "session/record/view.h"

namespace holdfast::cli {

// A session that has its name and no lock yet.
struct SessionWaits {
  std::string lock{};
  std::optional<lock::HolderView> holder{};  // who has it
  WallTime since{};
};

struct SessionFacts {
  session::SessionView view;
  std::optional<std::string> log{};          // its path, where one is kept
  std::optional<std::int32_t> pid{};         // of the command, where its number counts here
  std::optional<std::int32_t> supervisor{};  // its number, likewise
  std::optional<Duration> elapsed{};         // since the start, or all that it took
  std::optional<Duration> deadline_left{};   // negative: it is past
  std::optional<WallTime> last_output{};
  std::optional<SessionWaits> waits{};
};
inline constexpr std::string_view kWaitingState = "waiting";

// `dir` is where the log lies: the session's, or that of an earlier run.
SessionFacts facts_of(session::SessionView view, const os::Dir& dir, const Clock& clock);

// Which lock it waits for, where it does. Where that cannot be seen, it does not.
void see_what_it_waits_for(SessionFacts& facts, runtime::Runtime& runtime);
// The state that is shown: `waiting`, or that of the view.
std::string_view shown_state(const SessionFacts& facts);

// `name state exit_code signal pid started ended log verified containment …`
Json session_json(const SessionFacts& facts);

// The command line for people, safe for a terminal.
std::string command_text(const SessionRecord& record);
// Says that a part of the output could not be kept (a full disk), if it could not.
void warn_of_lost_log(Context& context, const SessionRecord& record);
Context::Paint paint_of(const session::SessionView& view);

// The fields of a session's JSON (session_facts.h), for the manuals of `show`, `ps` and `wait`.
inline constexpr std::array kSessionFields{
    JsonField{"name", "of the session"},
    JsonField{"state",
              "what is true now: `reserved`, `waiting` (for a lock), `starting`, `running`, "
              "`stopping`, `verifying`, "
              "`orphaned` (its supervisor is gone); at the end `exited`, `failed` (never started), "
              "`timed_out`, `killed`, `unverified` or `lost` (how it ended is not known)"},
    JsonField{"exit_code", "the command's own; null where it has none"},
    JsonField{"signal", "the number of the signal that the command died of; else null"},
    JsonField{"pid", "of the command; null before it is made, and in another pid namespace"},
    JsonField{"started", "when the command was let go; null where it was not"},
    JsonField{"ended", "when nothing of it was left; null before"},
    JsonField{"log", "the path of what it printed; null where none is kept"},
    JsonField{"verified", "what --verify said; null where it was not asked"},
    JsonField{"containment", "how the tree is held; null before it is made"},
    JsonField{"known", "false: `state` is what the record says, and cannot be judged from here"},
    JsonField{"evidence", "why this is the state: a stable word"},
    JsonField{"tree", "of an orphan: `lives` or `unproven` (nobody is seen); else null"},
    JsonField{"reason", "why it came to its recorded state: a stable word; or null"},
    JsonField{"detail", "the same for people; or null"},
    JsonField{"run", "the id of this run, HOLDFAST_RUN of its processes"},
    JsonField{"number", "of this run; the first of a name is 1"},
    JsonField{"supervisor", "the pid of its supervisor; null in another pid namespace"},
    JsonField{"supervisor_pid", "the same"},
    JsonField{"host", "where it runs; or null"},
    JsonField{"created", "when the name was reserved"},
    JsonField{"elapsed_ms", "since the start, or from start to end; or null"},
    JsonField{"deadline_left_ms",
              "until the deadline, negative behind it; null without one, at the end, and on "
              "another boot's clock"},
    JsonField{"timeout_ms", "as it was asked for; or null"},
    JsonField{"idle_timeout_ms", "as it was asked for; or null"},
    JsonField{"last_output", "when it last printed something; or null"},
    JsonField{"log_bytes", "how many bytes it had printed at the last change of its record"},
    JsonField{"log_lost", "of them, those that could not be kept"},
    JsonField{"command", "its words"},
    JsonField{"directory", "in which it runs"},
    JsonField{"locks", "the names of --lock; a slot is `NAME/?ofN`"},
    JsonField{"owner", "the pid of the process that it ends with (--owner); or null"},
    JsonField{"limits", "which limits are enforced by what, for people"},
    JsonField{"cgroup", "the directory of its control group; or null"},
    JsonField{"survivors", "who was left alive, each as `PID (name)`"},
    JsonField{"adopted", "a later supervisor has taken it over"},
    JsonField{"waits_for",
              "the lock that it waits for: `lock`, `since` and `holder`, as `locks` shows it; or "
              "null"},
    JsonField{"asked_by",
              "who asked it to end: `stop`, or a signal that was passed on; null: nobody"},
};

}  // namespace holdfast::cli
