// SPDX-License-Identifier: Apache-2.0
//
// What `notify` gives to its command: what was not sent before, the caller's text, and in lines of
// their own what was held back since; and what becomes of a text that cannot be sent now. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "format/loop/step_record.h"
#include "loop/step/step_decide.h"

namespace holdfast::loop {

struct Notice {
  NoticeBundle bundle{};  // what counts as sent then, and is kept where it cannot be
  std::string message{};  // what the command reads
};

// For a decision of kGo: takes what is kept out of the record. A text of the caller's that would be
// held back by itself is counted and not sent along.
Notice take_notice(StepRecord& record, const StepAsk& ask, const TimeMark& now);

enum class Keeping : std::uint8_t {
  kKept,     // it is in the record now, and goes out with the next one that is sent
  kCounted,  // it is known there already: being sent, kept, or sent a short while ago
};

// For a text that comes while another one is being sent, or waits after a failure: none is dropped
// without a word.
Keeping keep_notice(StepRecord& record, const StepAsk& ask, const TimeMark& now);

}  // namespace holdfast::loop
