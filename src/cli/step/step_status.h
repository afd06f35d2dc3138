// SPDX-License-Identifier: Apache-2.0
//
// What is known of a step, for people and for programs: what `step show` and `step list` print. Pure
// but for find_step and step_facts.
#pragma once

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "loop/step/step_intent.h"
#include "loop/step/step_store.h"
#include "runtime/runtime.h"

namespace holdfast::cli {

struct StepsToRead {
  loop::StepStore steps;
  const session::SessionStore* sessions;
};
// nullopt: there is no home yet, or no step in it.
Result<std::optional<StepsToRead>> steps_to_read(runtime::Runtime& runtime);

struct FoundStep {
  loop::StepName name{};
  Result<StepRecord> record;
};
// The step of KEY and --kind. kNotFound `no-such-step`; kUsage `ambiguous-key` if steps of several
// kinds have the key. One whose record cannot be read is there.
Result<FoundStep> find_step(const Args& args, const std::optional<StepsToRead>& home);

struct StepFacts {
  loop::StepStatus status{};
  TimeMark now{};
};
// With what its session says now. Nothing is written.
Result<StepFacts> step_facts(const StepsToRead& home, StepRecord record, const TimeMark& now);

struct UnreadStep {
  loop::StepName name;
  Error why;
};
using StepRow = std::variant<StepFacts, UnreadStep>;

// "claimed", "orphaned", "unknown"; "done", "unsure", "waiting", "exhausted", "sent", "free".
std::string_view state_of(const StepFacts& facts);

Json step_json(const StepFacts& facts);
Json step_row_json(const StepRow& row);
std::string step_text(const StepFacts& facts);
std::string step_table(const Context& context, const std::vector<StepRow>& rows);

inline constexpr std::array kStepShowFields{
    JsonField{"key", "of the step"},
    JsonField{"step", "its kind: `once`, `attempt` or `notify`"},
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
