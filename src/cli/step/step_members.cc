// SPDX-License-Identifier: Apache-2.0
#include "cli/step/step_members.h"

#include "cli/step/step_home.h"
#include "format/json/json.h"
#include "format/json/json_bytes.h"
#include "loop/step/step_forget.h"
#include "os/machine/real_clock.h"

namespace holdfast::cli {
namespace {

std::unexpected<Error> no_such_step(StepKind kind, const std::string& key) {
  return fail({.code = ErrorCode::kNotFound,
               .op = "find",
               .subject = "'" + step_session(kind, key) + "'",
               .cause = "no-such-step",
               .detail = "nothing is known of it; `holdfast " + std::string(to_text(kind)) +
                         " list` shows what is"});
}

Result<StepFacts> step_members_facts_of(const StepsToRead& home, StepRecord record,
                                        const TimeMark& now) {
  auto look = HF_TRY(loop::step_status(home.sessions, std::move(record), now, loop::NameHeld::kNo));
  return StepFacts{.look = std::move(look), .now = now};
}

}  // namespace

Result<int> show_step(Context& context, const Args& args, StepKind kind) {
  const os::RealClock clock;
  const std::string key = HF_TRY(step_key(args, kind));
  const auto home = HF_TRY(steps_to_read(context));
  if (!home) return no_such_step(kind, key);
  auto record = HF_TRY(home->steps.read({.kind = kind, .key = key}));
  if (!record) return no_such_step(kind, key);
  const TimeMark now = HF_TRY(loop::moment_now(clock));
  const StepFacts facts = HF_TRY(step_members_facts_of(*home, *std::move(record), now));
  context.emit(step_json(facts));
  context.print(step_text(facts));
  const bool known = facts.look.fate != loop::IntentFate::kUnknown &&
                     facts.look.fate != loop::IntentFate::kOrphanUnproven;
  return to_int(known ? ExitCode::kDone : ExitCode::kCannotTell);
}

Result<int> list_steps(Context& context, const Args& /*args*/, StepKind kind) {
  const os::RealClock clock;
  const auto home = HF_TRY(steps_to_read(context));
  const TimeMark now = HF_TRY(loop::moment_now(clock));
  std::vector<StepRow> rows;
  std::optional<Error> trouble;
  if (home) {
    for (loop::StepStore::Listed& listed : HF_TRY(home->steps.list(kind))) {
      auto facts = listed.record ? step_members_facts_of(*home, *std::move(listed.record), now)
                                 : Result<StepFacts>(fail(listed.record.error()));
      if (facts) {
        rows.emplace_back(*std::move(facts));
        continue;
      }
      if (!trouble) trouble = facts.error();
      rows.emplace_back(UnreadStep{.key = listed.key, .why = facts.error()});
    }
  }
  Json steps = Json::array();
  for (const StepRow& row : rows) steps.push_back(step_row_json(row));
  context.emit({{"steps", std::move(steps)}});
  if (!rows.empty()) context.print(step_table(rows));
  if (rows.empty()) context.note("there is none here");
  if (!trouble) return to_int(ExitCode::kDone);
  context.report(*trouble);
  return to_int(ExitCode::kCannotTell);
}

Result<int> forget_step(Context& context, const Args& args, StepKind kind) {
  const os::RealClock clock;
  const std::string key = HF_TRY(step_key(args, kind));
  if (!HF_TRY(steps_to_read(context))) return no_such_step(kind, key);
  const std::unique_ptr<StepHome> home = HF_TRY(StepHome::open(context, clock));
  const TimeMark now = HF_TRY(loop::moment_now(clock));
  StepRecord record = HF_TRY(loop::forget_step(home->services(), {.kind = kind, .key = key},
                                               args.text("reason").value_or("")));
  const StepFacts facts{.look = {.record = std::move(record)}, .now = now};
  context.emit({{"key", bytes_to_json(key)}, {"state", state_of(facts)}});
  return to_int(ExitCode::kDone);
}

}  // namespace holdfast::cli
