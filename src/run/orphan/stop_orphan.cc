// SPDX-License-Identifier: Apache-2.0
#include "run/orphan/stop_orphan.h"

#include <algorithm>

#include "format/session/outcome.h"
#include "os/signal/signals.h"
#include "proc/identity/identity.h"
#include "proc/kill/kill.h"
#include "proc/tree/cgroup_find.h"
#include "proc/tree/limits.h"
#include "run/orphan/orphan_outside.h"
#include "run/orphan/orphan_proof.h"
#include "run/session/conclusion.h"
#include "session/record/control.h"
#include "supervise/front_end.h"
#include "supervise/tree_request.h"

namespace holdfast::run {
namespace {

using proc::KillOutcome;
using session::Event;

constexpr int kPartForKill = 4;  // a quarter of the time
constexpr Duration kShortestPatience = std::chrono::milliseconds(100);

std::string joined(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& one : all) text += (text.empty() ? "" : ", ") + one;
  return text;
}

}  // namespace

void OrphanStop::begin(session::SessionDir dir) {
  auto begun = try_begin(std::move(dir));
  if (!begun) give_up(std::move(begun).error());
  if (!is_going() && orphan_) {
    leave();
  }
}

// From the first signal on the command may be gone, and those it left behind are still at work.
// What cannot be held is nothing to wait with: the end is what is asked for.
void OrphanStop::hold_locks() {
  const SessionRecord& record = orphan_->record();
  if (!record.command) return;
  const auto held = locks_.take_up(services_.locks, services_.clock, services_.events,
                                   record.order.locks, *record.command);
  static_cast<void>(held);
}

void OrphanStop::leave() {
  report_.state = orphan_->record().state;
  const bool over = is_final(orphan_->record().state);
  if (over) {
    locks_.release();
  } else {
    locks_.leave();
  }
  leave_orphan(*orphan_, over ? Leave::kOver : Leave::kStillThere);
}

Result<> OrphanStop::try_begin(session::SessionDir dir) {
  orphan_.emplace(HF_TRY(own_orphan(services_, std::move(dir), "stop")));
  const session::SessionView& view = orphan_->view;
  if (!view.known) {
    report_.outcome = KillOutcome::kUnproven;
    report_.evidence = view.evidence;
    return {};
  }
  if (is_final(view.state)) {
    report_.outcome = KillOutcome::kGone;
    report_.evidence = view.evidence;
    if (is_final(orphan_->record().state)) return {};
    // It is over, and nobody has said so yet.
    orphan_->record().state = view.state;
    return close(Event::kTreeGone, view.evidence);
  }
  if (view.state != SessionState::kOrphaned) {
    return fail({.code = ErrorCode::kBusy,
                 .op = "stop the session",
                 .subject = "'" + orphan_->record().name + "'",
                 .cause = "session-live",
                 .detail = "it has a supervisor again; nothing was done"});
  }
  orphan_->record().asked =
      SessionAsked{.by = "stop, process " + std::to_string(os::number(os::own_pid()))};
  if (order_.assume_gone) return assume_gone();
  if (orphan_->record().cgroup) {
    group_ = HF_TRY(proc::CgroupTree::open(*orphan_->record().cgroup, orphan_->record().run));
    if (group_) return begin_with_group();
  }
  return end_without_group();
}

// A person says that nobody is left. Whoever is seen says otherwise.
Result<> OrphanStop::assume_gone() {
  SessionRecord& record = orphan_->record();
  const Proof proof = HF_TRY(prove(*orphan_, {}));
  if (orphan_->view.tree == session::Tree::kLives || !proof.seen.empty()) {
    report_.outcome = KillOutcome::kRefused;
    report_.evidence = "seen-alive";
    report_.detail = "somebody of it is alive" +
                     (proof.seen.empty() ? std::string() : ": " + joined(proof.seen)) +
                     "; it was left as it is";
    return {};
  }
  EventData data;
  data.text("name", record.name).text("reason", order_.reason).text("evidence", "assumed-gone");
  HF_TRY(services_.events.record(
      {.type = "session.stopping", .data = std::move(data), .at_least = EventClass::kDecision}));
  record.detail = order_.reason;
  report_.outcome = KillOutcome::kKilled;
  report_.evidence = "assumed-gone";
  return close(Event::kAssumedGone, "assumed-gone");
}

// Nobody but this process makes it end: so the grace leaves time for KILL, and to see what came of it.
OrphanStop::Pace OrphanStop::pace() const {
  const SessionOrder& own = orphan_->record().order;
  Pace pace{.signal = order_.signal.value_or(own.kill_signal),
            .grace = order_.grace.value_or(own.grace),
            .patience = std::nullopt};
  if (!order_.until) return pace;
  const Duration left = std::max(*order_.until - services_.clock.mono(), Duration::zero());
  pace.grace = std::min(pace.grace, left - left / kPartForKill);
  pace.patience = std::clamp(left - pace.grace, kShortestPatience, proc::kKillPatience);
  return pace;
}

Result<proc::KillReport> OrphanStop::end_outside_in_time() const {
  const Pace now = pace();
  return end_outside(orphan_->record(), now.signal, now.grace, now.patience, services_.events);
}

Result<> OrphanStop::begin_with_group() {
  const SessionRecord& record = orphan_->record();
  const proc::CgroupMembers members = HF_TRY(group_->members());
  const Proof proof = HF_TRY(prove(*orphan_, members.pids));
  if (!proof.refuted.empty()) {
    refuse(proof.refuted);
    return {};
  }
  const Pace now = pace();
  const proc::Identity leader =
      record.command ? proc::from_record(*record.command) : proc::Identity{};
  proc::KillOrder said{.tree = true, .signal = now.signal, .grace = now.grace, .run = record.run};
  HF_TRY(proc::record_decision(leader, said, {.evidence = "orphaned", .name = record.name},
                               services_.events));
  tell_of(services_.events, "session.stopping", record);
  hold_locks();
  end_.emplace(*group_, services_.clock);
  return end_->begin(now.signal, now.grace, now.patience.value_or(supervise::kPatience));
}

void OrphanStop::step() {
  const auto stepped = end_->step();
  if (stepped && *stepped == OrphanEnd::Step::kGoing) return;
  report_.evidence = "cgroup-empty";
  if (stepped && *stepped == OrphanEnd::Step::kEmpty && !end_those_outside()) {
    // Somebody has left the group, and is still there; or nobody can tell.
  } else if (!stepped) {
    report_.outcome = KillOutcome::kUnproven;
    report_.evidence = stepped.error().cause;
    report_.detail = to_sentence(stepped.error());
  } else if (*stepped == OrphanEnd::Step::kSurvivors) {
    report_.outcome = KillOutcome::kSurvivors;
    report_.evidence = "cgroup-populated";
    report_.survivors = end_->members();
    tell_of(services_.events, "process.survivors", orphan_->record());
  } else {
    report_.outcome = KillOutcome::kKilled;
    auto closed = close(Event::kTreeGone, reason::kStopped);
    if (!closed) give_up(std::move(closed).error());
  }
  end_.reset();
  leave();
}

// The group is empty. True: so is all that left it.
bool OrphanStop::end_those_outside() {
  const SessionRecord& record = orphan_->record();
  Outside left = look_outside(record);
  if (left == Outside::kSomebody) {
    auto killed = end_outside_in_time();
    if (!killed) {
      give_up(std::move(killed).error());
      return false;
    }
    report_.ended = killed->ended;
    report_.survivors = std::move(killed->survivors);
    left = look_outside(record);
  }
  if (left == Outside::kNobody) return true;
  report_.outcome = report_.survivors.empty() ? KillOutcome::kUnproven : KillOutcome::kSurvivors;
  report_.evidence = "outside-cgroup";
  report_.detail = "its control group is empty, and not everybody of it was there";
  return false;
}

// Rule P5.
Result<> OrphanStop::end_without_group() {
  const SessionRecord& record = orphan_->record();
  const Proof proof = HF_TRY(prove(*orphan_, {}));
  if (!proof.refuted.empty()) {
    refuse(proof.refuted);
    return {};
  }
  if (!record.command) {
    report_.outcome = KillOutcome::kUnproven;
    report_.evidence = "no-cgroup";
    return {};
  }
  tell_of(services_.events, "session.stopping", record);
  hold_locks();
  const proc::KillReport report = HF_TRY(end_outside_in_time());
  report_.outcome = report.outcome;
  report_.evidence = report.evidence;
  report_.ended = report.ended;
  report_.survivors = report.survivors;
  report_.detail = std::to_string(report.ended) + " seen to end" +
                   (proof.seen.empty() ? std::string() : ", of " + joined(proof.seen));
  if (report.unread != 0)
    report_.detail += "; " + std::to_string(report.unread) + " could not be looked at";
  return {};
}

// The last thing that is written about it. The groups go first: dying in between leaves a record
// whose group is gone, which proves as much as an empty one, and no group that nobody knows.
Result<> OrphanStop::close(Event event, std::string_view reason) {
  SessionRecord& record = orphan_->record();
  remove_groups();
  record.reason = std::string(reason);
  record.ended = services_.clock.wall();
  if (is_final(record.state)) {
    HF_TRY(orphan_->dir.write(record, os::Durability::kFull));
  } else {
    HF_TRY(enter_state(*orphan_, record, event, os::Durability::kFull));
  }
  tell_of(services_.events, "session.ended", record);
  const auto removed = session::remove_control(orphan_->dir.dir());
  static_cast<void>(removed);
  run_on_end();
  return {};
}

// In a process of its own, as a supervisor would be; its end is waited for.
void OrphanStop::run_on_end() {
  SessionRecord& record = orphan_->record();
  if (!record.order.on_end && !record.order.on_failure && !record.order.on_success) return;
  const auto ran = supervise::run_supervisor(
      services_.clock, supervise::Await::kReport,
      [&](const os::SignalState& signals, const os::Handle& /*news*/) {
        Conclusion end{.clock = services_.clock,
                       .events = services_.events,
                       .record = record,
                       .dir = &orphan_->dir,
                       .signals = signals,
                       .environment = environment_of(record, orphan_->dir)};
        end.tell();
        end.run_on_end();
        return supervise::TreeReport{};
      });
  if (!ran) tell_of(services_.events, "session.on_end_failed", record);
}

// One that cannot be removed is empty, and harms nobody.
void OrphanStop::remove_groups() {
  const SessionRecord& record = orphan_->record();
  if (!group_ && record.cgroup) {
    auto found = proc::CgroupTree::open(*record.cgroup, record.run);
    if (found) group_ = std::move(*found);
  }
  if (group_) {
    const auto gone = group_->remove();
    static_cast<void>(gone);
  }
  const auto limits = proc::Limits::remove_left_behind(record.run);
  static_cast<void>(limits);
}

void OrphanStop::refuse(const std::string& why) {
  report_.outcome = why == "caller-in-tree" ? KillOutcome::kRefused : KillOutcome::kMismatch;
  report_.evidence = why;
  report_.detail = "nobody was signalled";
}

void OrphanStop::give_up(Error error) {
  end_.reset();
  report_.outcome = KillOutcome::kUnproven;
  report_.error = std::move(error);
}

}  // namespace holdfast::run
