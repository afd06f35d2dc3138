// SPDX-License-Identifier: Apache-2.0
//
// Acts: everything that a loop does to the world is a run of its own, detached, under the name that
// the intent names. The intent is in the log before start_act(); what became of it is asked of the
// session (session/record/view.h), by this loop or by the next one.
//
// The hostile interleaving. The loop writes the intent, forks the supervisor, and is killed. The
// next loop finds the intent and no run on record: was it started? The supervisor may be on its way
// to its first record, and would let the command go after the next loop has concluded that nothing
// ran. Two things close that:
//
//   The supervisor, under the lock of the session's name and before its first record
//   (act_guard.h), looks whether the lock of the loop is still the one it was started under, and
//   writes `begun` into the item's intent. If either fails, nothing is started.
//   The next loop has that lock with another token. Before it says "never started" it takes the
//   lock of the session's name: whoever was inside is out then, and on record; whoever comes later
//   is refused. What is `begun` is never said to be unstarted, even if its record is gone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/loop/loop_item.h"
#include "lock/grant/local_lock.h"
#include "loop/item/act_guard.h"
#include "loop/item/item_log.h"
#include "loop/item/services.h"
#include "os/process/pid.h"
#include "os/sys/handle.h"
#include "run/session/order.h"
#include "session/record/store.h"
#include "session/record/view.h"

namespace holdfast::loop {

struct ActStart {
  std::string item{};
  Channel channel = Channel::kItem;
  run::RunOrder order{};  // with a name and the run's id, detached
};

struct ActStarted {
  std::optional<os::Pid> supervisor{};  // the command was let go
  std::optional<Error> error{};         // why it was not
  // Proven, by the supervisor's own word or because there was none. Without this an error proves
  // nothing: look_for has to tell.
  bool never_started = false;
  std::optional<int> asked_to_end{};  // a signal for the loop came meanwhile
};
// `held` is the lock of the loop.
ActStarted start_act(const LoopServices& services, ItemLog& log, lock::Lock& held,
                     const ActStart& start);

// trace_of, and for kNone: is it proven that it never began? kBusy: somebody has the session's
// name.
struct ActTrace {
  session::Trace trace{};
  bool never_began = false;
};
Result<ActTrace> look_for(const LoopServices& services, const ItemAct& act);

// A new supervisor for an act whose own one is gone. Windows has none to offer: there the tree ends
// with its supervisor's job. kBusy `ending` while that is under way, kRefused `unsupported` if the
// command lives on all the same.
Result<> adopt_act(const LoopServices& services, ItemLog& log, lock::Lock& held,
                   const ItemAct& act);

}  // namespace holdfast::loop
