// SPDX-License-Identifier: Apache-2.0
//
// What a session that is over answers: the exit code of `run` and of `wait`, in one place.
//
//   exited      the command's own code            killed       128 + the signal
//   timed_out   124                               unverified   76
//   failed      127 `not-found`, 126 `not-executable`, else 125
//   lost        69
//
// A record that says `exited` or `killed` and not with what answers 69: how it ended is not known.
// The same as supervise/verdict.h says to who looked on, but for three things that no final record
// holds (run/final_state_test.cc compares the two): survivors, 72 there and not over here; a fault
// of holdfast's own beside the end, its code there; a start that was refused, such as 75, and 125
// here.
#pragma once

#include <optional>

#include "format/session/session_record.h"

namespace holdfast::session {

struct Answer {
  int code = 0;
  bool by_command = false;  // it is the command's own word
};

// `state` is what is true now (view.h), which may be later than the record. nullopt: it is not
// over.
std::optional<Answer> answer_of(SessionState state, const SessionRecord& record);

}  // namespace holdfast::session
