// SPDX-License-Identifier: Apache-2.0
//
// RunOrder: what `run` is asked to do, and Services: what it does it with.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/event.h"
#include "base/id128.h"
#include "format/lock/lock_chain.h"
#include "format/session/session_record.h"
#include "lock/grant/backend.h"
#include "os/spawn/spawn.h"
#include "os/sys/handle.h"
#include "run/session/guard.h"
#include "session/record/store.h"

namespace holdfast::run {

inline constexpr Duration kDefaultVerifyTimeout = std::chrono::minutes(5);

enum class Ground : std::uint8_t {
  kFore,  // in the caller's terminal and process group
  kBack,  // detached: the caller goes on when the command runs
};

// What becomes of a run if its name, or a lock that it needs, is taken.
enum class IfBusy : std::uint8_t {
  kFail,     // kBusy, naming who has it
  kWait,     // for the name, at most `name_wait`; then the same as kFail
  kSkip,     // the same as kFail; whoever asked for it takes that for an answer
  kReplace,  // whoever asked for it has stopped the run that had the name (cli/session/if_busy.h)
};

struct RunOrder {
  std::optional<std::string> name{};  // none: nothing is recorded, and no home is needed
  bool name_is_made_up = false;       // then nobody knows it before he is told
  SessionOrder what{};
  Id128 run{};  // of this run
  Ground ground = Ground::kFore;
  os::StdoutTo stdout_to = os::StdoutTo::kStdout;
  bool progress = false;  // a line that says how it stands, on stderr (run/session/status_line.h)
  Duration lock_wait{};   // for each of what.locks
  IfBusy if_busy = IfBusy::kFail;
  Duration name_wait{};                    // of kWait
  std::optional<Duration> replace_wait{};  // of kReplace: for the end of the old run
  // Says to a person at a terminal what is waited for; empty: nobody is there. Not of a detached
  // run.
  std::function<void(const std::string&)> say_waiting{};
};

struct Services {
  const Clock& clock;
  EventSink& events;
  // These two are null for a run without a name and without locks.
  const session::SessionStore* sessions = nullptr;
  lock::LockBackend* locks = nullptr;
  LockChain chain{};          // what the caller itself runs under
  RunGuard* guard = nullptr;  // who else has a say; only of a run with a name
  GuardOf guard_of{};         // of the process that was started to supervise; Windows only
};

}  // namespace holdfast::run
