// SPDX-License-Identifier: Apache-2.0
#include "cli/process/kill_session.h"

#include "cli/process/kill_answer.h"
#include "cli/process/kill_group.h"
#include "cli/session/session_found.h"
#include "proc/identity/identity.h"
#include "proc/kill/kill.h"
#include "run/orphan/orphan_proof.h"
#include "runtime/runtime.h"
#include "session/record/view.h"

namespace holdfast::cli {

Result<int> kill_session(Context& context, const std::string& name, proc::KillOrder order) {
  const session::SessionDir dir = HF_TRY(find_session(context, name));
  const auto record = HF_TRY(dir.read());
  if (!record) return fail(session::no_such_session(name));
  auto* locks = HF_TRY(context.runtime().locks());
  EventSink& events = context.runtime().events();
  const proc::Identity target = proc::from_record(record->command.value_or(record->supervisor));
  const std::string doubt = HF_TRY(run::doubt_about(*locks, dir, *record));
  if (!doubt.empty()) {
    proc::KillReport refused{.outcome = proc::KillOutcome::kMismatch, .evidence = doubt};
    proc::record_outcome(target, order, refused, events);
    return answer_kill(context, os::number(target.pid), refused);
  }
  order.run = record->run;
  std::unique_ptr<proc::TreeKiller> group;
  if (order.tree) group = HF_TRY(group_of_session(*record));
  order.group = group.get();
  const proc::KillReport report = HF_TRY(proc::kill_process(target, order, events));
  return answer_kill(context, os::number(target.pid), report);
}

}  // namespace holdfast::cli
