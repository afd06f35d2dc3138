// SPDX-License-Identifier: Apache-2.0
//
// Those of an orphan who are not in its control group: its command, if it has moved to another one,
// and whoever else carries the run id. An empty group proves the end of a tree only together with
// them (rule P5a).
//
// Limit: who was started with another environment and left the group, too, is not seen
// (proc/tree/run_id_scan.h).
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "base/event.h"
#include "base/result.h"
#include "format/session/session_record.h"
#include "proc/kill/kill.h"
#include "supervise/report.h"

namespace holdfast::run {

enum class Outside : std::uint8_t { kNobody, kSomebody, kCannotTell };

// Looks at every process of the machine, unless the command itself lives.
Outside look_outside(const SessionRecord& record);

// Ends them, and waits for it: the command through its pin, the carriers through theirs. The number
// of a dead command may be a stranger's by now, which says nothing about those who carry the run
// id. The decision goes to `events` first, and without it nobody is signalled.
Result<proc::KillReport> end_outside(const SessionRecord& record, int signal, Duration grace,
                                     std::optional<Duration> wait, EventSink& events);

// Rule P4: the limits of a run were announced when it was started, so nothing that the journal
// cannot take stops their work.
class AnnouncedForce final : public EventSink {
 public:
  explicit AnnouncedForce(EventSink& to) : to_(to) {}
  Result<EventReceipt> record(const holdfast::Event& event) override {
    return to_.record(event).value_or(EventReceipt{});
  }

 private:
  EventSink& to_;
};

// ECHILD says nothing about a process that entered another pid namespace and left its children to
// the init of that one, and an empty control group nothing about one that left it, too (rule P5a).
// So those who carry the run id are looked for before a tree is called over. Ends them (those who
// are to be waited for are only named), and says in `report` who is left.
void end_strays(const SessionRecord& record, EventSink& events, supervise::TreeReport& report);

}  // namespace holdfast::run
