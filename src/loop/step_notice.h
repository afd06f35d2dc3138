// SPDX-License-Identifier: Apache-2.0
//
// What `notify` gives to its command: the caller's text, what could not be sent before, and in
// lines of their own what was held back since. Pure.
#pragma once

#include <string>

#include "base/digest.h"
#include "format/step_record.h"
#include "loop/step_decide.h"

namespace holdfast::loop {

struct Notice {
  std::string text{};     // that is kept where it cannot be sent
  Digest digest{};        // of what counts as sent then
  std::string message{};  // what the command reads
};

// For a decision of kGo.
Notice compose_notice(const StepRecord& record, const StepAsk& ask, const TimeMark& now);

}  // namespace holdfast::loop
