// SPDX-License-Identifier: Apache-2.0
//
// A step for people and for programs: what `show` and `list` of the four kinds print. Pure but for
// the look at what is pending.
#pragma once

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "loop/step/step_intent.h"

namespace holdfast::cli {

struct StepFacts {
  loop::StepStatus look{};
  TimeMark now{};
};
struct UnreadStep {
  std::string key;
  Error why;
};
using StepRow = std::variant<StepFacts, UnreadStep>;

// "claimed", "orphaned", "unknown"; "done", "unsure", "waiting", "exhausted", "sent", "free".
std::string_view state_of(const StepFacts& facts);

Json step_json(const StepFacts& facts);
Json step_row_json(const StepRow& row);
std::string step_text(const StepFacts& facts);
std::string step_table(const std::vector<StepRow>& rows);

inline constexpr std::array kStepShowFields{
    JsonField{"key", "of the step"},
    JsonField{"step", "`once`, `attempt`, `notify` or `tick`"},
    JsonField{
        "state",
        "`free` (nothing keeps it from running), `done`, `waiting` (for `next`), `exhausted`, "
        "`sent`, `unsure` (nobody saw how its last run ended); `claimed` (it runs now), "
        "`orphaned` (its supervisor is gone), `unknown` (nobody can tell)"},
    JsonField{"session", "the name of its run for `ps`, `show`, `stop` and `adopt`"},
    JsonField{"created", "when it was first run"},
    JsonField{"done", "when it was done; else null"},
    JsonField{"next", "when it may run next; null where that needs no time"},
    JsonField{"runs", "how many runs were counted"},
    JsonField{"lost", "of them, those whose outcome nobody knows"},
    JsonField{"attempts", "how many have failed"},
    JsonField{"max", "`attempt`: how many the last caller allowed; else null"},
    JsonField{"claimed", "null, or who has it: `pid`, `since`, `run`, `evidence`"},
    JsonField{"held_back", "`notify`: how many notices were held back since the last one"},
    JsonField{"kept", "`notify`: the texts that could not be sent yet; else null"},
    JsonField{"history",
              "a list of its last runs, oldest first: `run`, `began`, `ended`, `state`, "
              "`exit_code`, `signal`, `repeated`, `asked` (somebody asked it to end)"},
};

}  // namespace holdfast::cli
