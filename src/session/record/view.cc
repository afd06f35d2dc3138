// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: the record is read, the supervisor writes the final one and exits, and
// then it is judged dead. The session would be called orphaned though it ended well. Who has the
// directory at hand therefore reads once more after such a view (look.h); from a record alone
// nobody can tell.
#include "session/record/view.h"

#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"
#include "proc/tree/cgroup_find.h"
#include "proc/tree/run_id_scan.h"
#include "session/record/transition.h"

namespace holdfast::session {
namespace {

using proc::CgroupLook;
using proc::Life;

bool nothing_was_started(const SessionRecord& record) {
  return record.state == SessionState::kReserved ||
         (record.state == SessionState::kStarting && !record.command);
}

// An empty group proves something only together with a dead command and nobody who carries the run
// id (rule P5a): the command may have moved to another group, and its verification is in none.
Tree look_at_tree(const SessionRecord& record) {
  const Life command =
      record.command ? proc::judge(proc::from_record(*record.command)).life : Life::kDead;
  if (command == Life::kLive) return Tree::kLives;
  // The command on record is process 1 of a pid namespace: the kernel ends all others in it first.
  if (record.containment == "pidns" && record.command && command == Life::kDead) {
    return Tree::kEmpty;
  }
  // Windows ends everybody in a job object when the last handle to it is closed, and its supervisor
  // had the only one.
  if (record.containment == "job") return Tree::kEmpty;
  bool group_is_empty = false;
  if (record.cgroup) {
    const CgroupLook look = proc::find_cgroup(*record.cgroup, record.run);
    if (look.state == CgroupLook::State::kLives) return Tree::kLives;
    group_is_empty = look.state == CgroupLook::State::kEmpty;
  }
  const auto scan = proc::scan_run_id(record.run);
  if (!scan) return Tree::kUnproven;
  if (!scan->carriers.empty()) return Tree::kLives;
  return group_is_empty ? Tree::kEmpty : Tree::kUnproven;
}

// The table knows an answer for all that comes here; without one nothing is claimed.
void follow(SessionView& view, Event event) {
  const auto state = next(view.state, event);
  view.known = state.has_value();
  view.state = state.value_or(view.state);
}

void look_behind_the_dead(SessionView& view, const std::string& proof) {
  view.evidence = proof;
  // First: after a power cut the disk may say less than what was written.
  if (proof == "other-boot") {
    view.tree = Tree::kEmpty;
    return follow(view, Event::kRebooted);
  }
  if (nothing_was_started(view.record)) {
    view.tree = Tree::kEmpty;
    return follow(view, Event::kCouldNotStart);
  }
  follow(view, Event::kSupervisorGone);
  view.tree = look_at_tree(view.record);
  if (view.tree != Tree::kEmpty) return;
  view.evidence = view.record.containment == "job"     ? "job-closed"
                  : view.record.containment == "pidns" ? "pidns-gone"
                                                       : "cgroup-empty";
  follow(view, Event::kTreeGone);
}

}  // namespace

SessionView look_at(SessionRecord record) {
  SessionView view;
  view.state = record.state;
  view.record = std::move(record);
  if (is_final(view.state)) {
    view.evidence = "recorded";
    return view;
  }
  const proc::LifeVerdict supervisor = proc::judge(proc::from_record(view.record.supervisor));
  switch (supervisor.life) {
    case Life::kDead:
      look_behind_the_dead(view, supervisor.evidence);
      break;
    case Life::kLive:
      view.known = view.state != SessionState::kOrphaned;
      view.evidence = view.known ? "supervisor-live" : "orphaned-and-live";
      break;
    case Life::kUnknown:
      view.known = false;
      view.evidence = supervisor.evidence;
      break;
  }
  return view;
}

}  // namespace holdfast::session
