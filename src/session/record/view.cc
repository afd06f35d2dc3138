// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: the record is read, the supervisor writes the final one and exits, and
// then it is judged dead. The session would be called orphaned though it ended well. Who has the
// directory at hand therefore reads once more after such a view (look()); from a record alone
// nobody can tell.
#include "session/record/view.h"

#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"
#include "proc/tree/cgroup_find.h"
#include "proc/tree/run_id_scan.h"
#include "session/record/transition.h"

#include "base/cause.h"

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
Tree look_at_tree(const SessionRecord& record, bool& namespace_is_gone) {
  proc::LifeVerdict verdict{.life = Life::kDead, .evidence = ""};
  if (record.command) verdict = proc::judge(proc::from_record(*record.command));
  const Life command = verdict.life;
  if (command == Life::kLive) return Tree::kLives;
  // It ran in a container that has ended. Nobody leaves a pid namespace but to one below it, and
  // the kernel has ended everybody in it.
  namespace_is_gone = record.command && verdict.evidence == "namespace-gone";
  if (namespace_is_gone) return Tree::kEmpty;
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
  bool namespace_is_gone = false;
  view.tree = look_at_tree(view.record, namespace_is_gone);
  if (view.tree != Tree::kEmpty) return;
  view.evidence = namespace_is_gone                    ? "namespace-gone"
                  : view.record.containment == "job"   ? "job-closed"
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

Result<std::optional<SessionView>> look(const SessionDir& dir) {
  // Each round but the last ends because somebody else wrote in between.
  constexpr int kMostRounds = 16;
  auto record = HF_TRY(dir.read());
  for (int round = 0; record; ++round) {
    SessionView view = look_at(*record);
    if (view.state == record->state || round == kMostRounds) return view;
    auto again = HF_TRY(dir.read());
    if (again == record) return view;
    record = std::move(again);
  }
  return std::nullopt;
}

namespace {

Trace::Kind kind_of(const SessionView& view) {
  if (!view.known) return Trace::Kind::kUnknown;
  if (is_final(view.state)) return Trace::Kind::kOver;
  return view.state == SessionState::kOrphaned ? Trace::Kind::kOrphaned : Trace::Kind::kUnder;
}

Result<Trace> among_earlier(const SessionDir& dir, const Id128& run) {
  const auto numbers = HF_TRY(dir.earlier_runs());
  for (auto number = numbers.rbegin(); number != numbers.rend(); ++number) {
    auto record = HF_TRY(dir.read_run(*number));
    if (!record || record->run != run) continue;
    SessionView view = look_at(*std::move(record));
    const Trace::Kind kind = kind_of(view);
    return Trace{.kind = kind, .view = std::move(view)};
  }
  return Trace{};
}

}  // namespace

Result<Trace> trace_of(const SessionStore& sessions, std::string_view name, const Id128& run) {
  const auto dir = HF_TRY(sessions.find(name));
  return dir ? trace_in(*dir, run) : Result<Trace>(Trace{});
}

Result<Trace> trace_in(const SessionDir& dir, const Id128& run) {
  auto view = HF_TRY(look(dir));
  if (view && view->record.run == run) {
    const Trace::Kind kind = kind_of(*view);
    return Trace{.kind = kind, .view = std::move(view)};
  }
  auto earlier = among_earlier(dir, run);
  if (!earlier || earlier->kind != Trace::Kind::kNone) return earlier;
  // It may have become the newest one, or an earlier one, while we looked.
  view = HF_TRY(look(dir));
  if (!view || view->record.run != run) return Trace{.record_lost = HF_TRY(dir.had_damaged())};
  const Trace::Kind kind = kind_of(*view);
  return Trace{.kind = kind, .view = std::move(view)};
}

Error no_such_session(const std::string& name) {
  return {.code = ErrorCode::kNotFound,
          .op = "find the session",
          .subject = "'" + name + "'",
          .cause = cause::kNoSuchSession,
          .detail =
              "no session of this name was ever run in this home; `holdfast ps --all` lists "
              "those that were"};
}

std::string state_word(const SessionView& view) {
  return std::string(to_text(view.state)) + (view.known ? "" : "?");
}

std::string lost_log_text(const SessionRecord& record) {
  if (record.log_lost == 0) return "";
  return "the log of '" + record.name + "' lacks " + std::to_string(record.log_lost) +
         " bytes that the command printed: they could not be written";
}

}  // namespace holdfast::session
