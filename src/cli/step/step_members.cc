// SPDX-License-Identifier: Apache-2.0
#include "cli/step/step_members.h"

#include "format/json/json.h"
#include "loop/step/step_guard.h"
#include "loop/step/step_run.h"
#include "loop/step/step_store.h"
#include "runtime/runtime.h"

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

struct StepsToRead {
  loop::StepStore steps;
  const session::SessionStore* sessions;
};
// nullopt: there is no home yet, or no step in it.
Result<std::optional<StepsToRead>> steps_to_read(runtime::Runtime& runtime) {
  auto steps = HF_TRY(runtime.find_steps());
  if (!steps) return std::nullopt;
  const session::SessionStore* sessions = HF_TRY(runtime.sessions());
  return StepsToRead{.steps = loop::StepStore(*std::move(steps)), .sessions = sessions};
}

Result<StepFacts> step_members_facts_of(const StepsToRead& home, StepRecord record,
                                        const TimeMark& now) {
  auto look =
      HF_TRY(loop::look_at_step(*home.sessions, std::move(record), now, loop::NameHeld::kNo));
  return StepFacts{.look = std::move(look), .now = now};
}

}  // namespace

Result<int> show_step(Context& context, const Args& args, StepKind kind) {
  const Clock& clock = context.runtime().clock();
  const std::string key = HF_TRY(step_key(args, kind));
  const auto home = HF_TRY(steps_to_read(context.runtime()));
  if (!home) return no_such_step(kind, key);
  auto record = HF_TRY(home->steps.read({.kind = kind, .key = key}));
  if (!record) return no_such_step(kind, key);
  const TimeMark now = HF_TRY(loop::moment_now(clock));
  const StepFacts facts = HF_TRY(step_members_facts_of(*home, *std::move(record), now));
  context.emit(step_json(facts));
  context.print(step_text(facts));
  const bool known = facts.look.fate != loop::PendingFate::kUnknown &&
                     facts.look.fate != loop::PendingFate::kOrphanUnproven;
  return to_int(known ? ExitCode::kDone : ExitCode::kCannotTell);
}

Result<int> list_steps(Context& context, const Args& /*args*/, StepKind kind) {
  const Clock& clock = context.runtime().clock();
  const auto home = HF_TRY(steps_to_read(context.runtime()));
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
  const Clock& clock = context.runtime().clock();
  const std::string key = HF_TRY(step_key(args, kind));
  if (!HF_TRY(context.runtime().find_steps())) return no_such_step(kind, key);
  const loop::StepStore steps(HF_TRY(context.runtime().steps()));
  const session::SessionStore& sessions = *HF_TRY(context.runtime().sessions());
  const loop::StepServices services{
      .clock = clock, .events = context.runtime().events(), .sessions = sessions, .steps = steps};
  const TimeMark now = HF_TRY(loop::moment_now(clock));
  StepRecord record = HF_TRY(
      loop::forget_step(services, {.kind = kind, .key = key}, args.text("reason").value_or("")));
  const StepFacts facts{.look = {.record = std::move(record)}, .now = now};
  context.emit({{"key", bytes_to_json(key)}, {"state", state_of(facts)}});
  return to_int(ExitCode::kDone);
}

}  // namespace holdfast::cli
