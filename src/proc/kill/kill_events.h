// SPDX-License-Identifier: Apache-2.0
//
// What a kill puts on record: the decision before it acts, and what became of it.
#pragma once

#include "base/event.h"
#include "base/result.h"
#include "proc/kill/kill.h"

namespace holdfast::proc {

// `process.killed`, a decision: on stable storage when it returns. An Error: do not act. Of
// `report`, its name and evidence.
Result<> record_decision(const Identity& identity, const KillOrder& order, const KillReport& report,
                         EventSink& sink);

// `process.kill_refused`, `process.survivors` or `process.unproven`; nothing after a success. A
// failure goes into `report`.
void record_outcome(const Identity& identity, const KillOrder& order, KillReport& report,
                    EventSink& sink);

}  // namespace holdfast::proc
