// SPDX-License-Identifier: Apache-2.0
//
// From what the supervisor saw to what the record says. Pure.
#pragma once

#include "format/session/session_record.h"
#include "supervise/report.h"

namespace holdfast::run {

// The command exited with 0 by itself, and nothing of it is left: worth a verification.
bool claims_success(const supervise::TreeReport& report);

// The state that follows, by session/record/transition.h, and everything that is known about the end. With
// survivors it is not over: the state stays `stopping`, and they are named.
void note_outcome(SessionRecord& record, const supervise::TreeReport& report);

supervise::RunReport to_run_report(const supervise::TreeReport& report);

}  // namespace holdfast::run
