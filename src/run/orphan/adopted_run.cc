// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving at the end: the command exits, its last child prints a line and goes,
// and the group is empty. The pipes are read once more after that (nobody is left who could print),
// and the status is asked of the pidfd, which the kernel answers from the moment in which the
// command's parent, init by now, has reaped it: some moments after the pidfd said that it has
// ended. So the question is repeated for a while; a parent that never looks makes the answer "not
// known".
#include "run/orphan/adopted_run.h"

#include <algorithm>

#include "base/budget.h"
#include "base/clock.h"
#include "format/session/outcome.h"
#include "os/file/file.h"
#include "os/machine/real_clock.h"
#include "os/process/background.h"
#include "os/process/pidfd.h"
#include "os/watch/poll.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"
#include "proc/tree/limits.h"
#include "run/orphan/orphan_outside.h"
#include "run/orphan/orphan_proof.h"
#include "run/session/final_state.h"
#include "supervise/verdict.h"

namespace holdfast::run {
namespace {

using session::Event;
using supervise::EndedBy;
using supervise::EndOrder;
using supervise::TreeReport;

constexpr std::string_view kAdoptedRunProcessName = "holdfast-run";
constexpr Duration kReapPatience = std::chrono::seconds(2);
constexpr Duration kReapPause = std::chrono::milliseconds(5);
constexpr std::chrono::milliseconds kLookOutside{500};

Error not_adopted(const std::string& name, ErrorCode code, std::string_view cause,
                  std::string detail) {
  return {.code = code,
          .op = "adopt the session",
          .subject = "'" + name + "'",
          .cause = std::string(cause),
          .detail = std::move(detail) + "; nothing was done"};
}

// Nobody saw how it ended.
SessionState lost_from(SessionState state) {
  const SessionState orphaned = session::next(state, Event::kSupervisorGone).value_or(state);
  return session::next(orphaned, Event::kTreeGone).value_or(orphaned);
}

std::optional<os::ChildEnd> status_of(const os::Handle& command, const Clock& clock) {
  if (!command.valid()) return std::nullopt;
  const MonoTime until = clock.mono() + kReapPatience;
  for (;;) {
    const os::PidfdExit exit = os::pidfd_exit(command);
    if (exit.state != os::PidfdExit::State::kNotYet) return exit.end;
    if (clock.mono() >= until) return std::nullopt;
    os::pause(kReapPause);
  }
}

}  // namespace

Result<> require_orphaned(const session::SessionView& view) {
  const std::string state(to_text(view.state));
  const std::string& name = view.record.name;
  if (!view.known) {
    return fail(not_adopted(name, ErrorCode::kCannotTell, "session-unknown",
                            "whether its supervisor lives cannot be told (" + view.evidence + ")"));
  }
  if (is_final(view.state))
    return fail(not_adopted(name, ErrorCode::kNotFound, "session-over", "it is over: " + state));
  if (view.state == SessionState::kOrphaned) return {};
  return fail(
      not_adopted(name, ErrorCode::kBusy, "session-live", "its supervisor lives, it is " + state));
}

TreeReport AdoptedRun::run(session::SessionDir dir) {
  TreeReport report;
  if (auto taken = take_over(std::move(dir)); !taken) {
    report.fault = std::move(taken).error();
    locks_.leave();
    if (orphan_) leave_orphan(*orphan_, Leave::kStillThere);
    return report;
  }
  watch_until_over();
  finish();
  return report;
}

// --- until it is ours

Result<> AdoptedRun::take_over(session::SessionDir dir) {
  forget_budget();  // it is that of who asked for the adoption, and goes on
  HF_TRY(os::enter_background(kAdoptedRunProcessName));
  orphan_.emplace(HF_TRY(own_orphan(services_, std::move(dir), "adopt")));
  HF_TRY(require_orphaned(orphan_->view));
  HF_TRY(take_hold());
  control_ = HF_TRY(session::Control::make(orphan_->dir.dir()));
  timer_ = HF_TRY(os::BootTimer::create());
  inbox_ = HF_TRY(os::SignalInbox::open());
  const std::string no_log = streams_.open(record(), command_, orphan_->dir.dir(), services_.clock);
  HF_TRY(check_promises());
  if (record().command) {
    const auto taken = locks_.take_up(services_.locks, services_.clock, services_.events,
                                      record().order.locks, *record().command);
    if (!taken) {
      return fail(not_adopted(
          record().name, ErrorCode::kCannotTell, taken.error().cause,
          to_sentence(taken.error()) + "; `holdfast stop " + record().name + "` ends it"));
    }
  }
  record().adopted = true;
  record().reason = reason::kAdopted;
  record().detail = no_log.empty() ? "" : "its log does not go on: " + no_log;
  record().supervisor = proc::to_record(HF_TRY(proc::own_identity()));
  if (command_.valid()) HF_TRY(orphan_->name->set_work(*record().command));
  HF_TRY(enter_state(*orphan_, record(), Event::kAdopted, os::Durability::kFull));
  tell_of(services_.events, "session.adopted", record());
  last_output_ = services_.clock.boot();
  const auto told = os::File(std::move(news_), "the caller").write_all("r");
  static_cast<void>(told);  // it is gone; we go on
  return {};
}

// The command is pinned before anything is believed of it.
Result<> AdoptedRun::take_hold() {
  proc::Life life = proc::Life::kDead;
  if (record().command) {
    proc::LifeVerdict verdict = proc::judge(proc::from_record(*record().command));
    life = verdict.life;
    command_ = std::move(verdict.pidfd);
  }
  std::vector<os::Pid> members;
  if (record().cgroup) {
    group_ = HF_TRY(proc::CgroupTree::open(*record().cgroup, record().run));
    if (group_) members = HF_TRY(group_->members()).pids;
  }
  const Proof proof = HF_TRY(prove(*orphan_, members));
  if (!proof.refuted.empty()) {
    return fail(not_adopted(record().name, ErrorCode::kRefused, proof.refuted,
                            "its record does not agree with the processes that it names"));
  }
  if (life != proc::Life::kDead && !command_.valid()) {
    return fail(not_adopted(record().name, ErrorCode::kCannotTell, "no-pin",
                            "its command cannot be pinned, so its end could not be seen"));
  }
  if (group_ || command_.valid()) return {};
  return fail(not_adopted(record().name, ErrorCode::kCannotTell, "nothing-to-hold",
                          "its command is gone, and without a control group nobody can tell who "
                          "is left of it; `holdfast stop " +
                              record().name + " --assume-gone --reason TEXT` closes it"));
}

Result<> AdoptedRun::check_promises() {
  if (record().order.owner) {
    auto owner = Owner::watch(*record().order.owner);
    owner_is_gone_ = !owner && owner.error().code == ErrorCode::kNotFound;
    if (!owner && !owner_is_gone_) {
      return fail(not_adopted(record().name, owner.error().code, owner.error().cause,
                              owner.error().detail));
    }
    if (owner) owner_ = *std::move(owner);
  }
  const ProcessIdentity own = proc::to_record(HF_TRY(proc::own_identity()));
  if (record().deadline_boot_ns && own.timens != record().supervisor.timens) {
    return fail(not_adopted(record().name, ErrorCode::kCannotTell, "other-time-namespace",
                            "its deadline was set in another time namespace, whose clock cannot be "
                            "read here"));
  }
  if (!record().order.idle_timeout || !command_.valid() || streams_.are_watched()) return {};
  return fail(not_adopted(record().name, ErrorCode::kCannotTell, "nothing-to-watch",
                          "its --idle-timeout cannot be kept: what it prints cannot be seen any "
                          "more; `holdfast stop " +
                              record().name + "` ends it"));
}

// --- while it runs

bool AdoptedRun::command_ended() const {
  return !command_.valid() || os::has_ended(command_).value_or(false);
}

bool AdoptedRun::group_is_empty() const { return !group_ || !group_->populated().value_or(true); }

// The end of the group and of the command is waited for; who is left outside then is looked for
// once, and ended unless it was to be waited for.
void AdoptedRun::watch_until_over() {
  while (!over_) {
    if (streams_.round()) {
      last_output_ = services_.clock.boot();
      record().last_output = services_.clock.wall();
    }
    const bool nobody_known = group_is_empty() && command_ended();
    if (nobody_known || (order_ && group_is_empty())) {
      const Outside left = look_outside(record());
      const bool waits = left == Outside::kSomebody && record().order.wait_descendants && !order_;
      if (left == Outside::kSomebody && !waits) end_those_outside();
      if (!waits) {
        over_ = true;
        proven_ = group_ && survivors_.empty() && look_outside(record()) == Outside::kNobody;
        return;
      }
    }
    if (end_) {
      step_end();
      if (over_) return;
    } else if (const auto order = next_order()) {
      begin_end(*order);
      continue;
    }
    wait();
  }
}

// A deadline that cannot be waited for is due: it was promised. Not that of a command that has
// ended: it was in time.
std::optional<EndOrder> AdoptedRun::next_order() {
  if (auto asked = asked_order()) return asked;
  if (inbox_) {
    const auto signal = inbox_->next();
    if (signal && *signal && os::asks_to_end((*signal)->number))
      return EndOrder{.by = EndedBy::kStop};
  }
  if (owner_is_gone_ || (owner_ && owner_->has_ended())) {
    if (!record().asked) record().asked = SessionAsked{.by = "the end of its owner"};
    if (owner_) record().asked = owner_->asked();
    return EndOrder{.by = EndedBy::kOwner};
  }
  // What the command left behind when it ended is ended too, unless it was to be waited for.
  if (command_ended() && !record().order.wait_descendants) return EndOrder{.by = EndedBy::kNobody};
  const BootTime now = services_.clock.boot();
  std::optional<BootTime> due;
  if (record().deadline_boot_ns) {
    due = BootTime(Duration(*record().deadline_boot_ns));
    if (now >= *due) return EndOrder{.by = EndedBy::kDeadline};
  }
  if (record().order.idle_timeout && streams_.are_watched()) {
    const BootTime idle = last_output_ + *record().order.idle_timeout;
    if (now >= idle) return EndOrder{.by = EndedBy::kIdle};
    due = std::min(due.value_or(idle), idle);
  }
  const auto set = timer_->set(due);
  if (!set && due) return EndOrder{.by = EndedBy::kFault};
  return std::nullopt;
}

// Also what the dead supervisor was asked, and could not do any more.
std::optional<EndOrder> AdoptedRun::asked_order() {
  if (record().asked && !record().asked->signal) return EndOrder{.by = EndedBy::kStop};
  if (!control_) return std::nullopt;
  const auto asked = control_->read_requests();
  if (!asked) {
    control_.reset();
    return std::nullopt;
  }
  if (asked->requests.empty()) return std::nullopt;
  const SessionRequest& request = asked->requests.front();
  record().asked = SessionAsked{.by = request.by.empty() ? "somebody" : request.by};
  return EndOrder{.by = EndedBy::kStop, .grace = request.grace, .signal = request.signal};
}

void AdoptedRun::begin_end(const EndOrder& order) {
  order_ = order;
  if (!order_->grace) order_->grace = record().order.grace;
  // As in supervise/shim.cc: a longer grace does not put the deadline off.
  const BootTime now = services_.clock.boot();
  const BootTime deadline(Duration(record().deadline_boot_ns.value_or(0)));
  if (deadline > now)
    order_->grace = std::min(*order_->grace, after(deadline, record().order.grace) - now);
  if (!order_->signal) order_->signal = record().order.kill_signal;
  const bool left_behind =
      group_ && order.by == EndedBy::kNobody && record().command && !group_is_empty();
  // Told afterwards, as there: a disk may hang.
  if (group_) {
    end_.emplace(*group_, services_.clock);
    const auto begun = end_->begin(*order_->signal, *order_->grace, supervise::kPatience);
    static_cast<void>(begun);  // KILL follows
  }
  if (order.by != EndedBy::kNobody) {
    record().reason = std::string(name(order.by));
    enter(Event::kBeingEnded, os::Durability::kNone);
    tell_of(services_.events, "session.stopping", record());
    if (record().command) {
      tell_of_kill(services_.events, record(), os::Pid{record().command->pid}, *order_->signal);
    }
  }
  if (left_behind) {
    tell_of_other_kills(services_.events, record(), os::Pid{record().command->pid},
                        {.left_behind = true});
  }
}

void AdoptedRun::step_end() {
  if (control_) {
    const auto asked = control_->read_requests();
    if (!asked) control_.reset();
    if (asked && !asked->requests.empty())
      end_->hurry(asked->requests.front().grace.value_or(record().order.grace));
  }
  const auto step = end_->step();
  if (!step || *step != OrphanEnd::Step::kSurvivors) return;
  for (const proc::Survivor& one : end_->members())
    survivors_.push_back(std::to_string(one.pid) + " (" + one.name + ")");
  over_ = true;
}

void AdoptedRun::end_those_outside() {
  AnnouncedForce events(services_.events);
  const SessionOrder& order = record().order;
  const auto killed = end_outside(record(), order_ ? *order_->signal : order.kill_signal,
                                  order_ ? *order_->grace : order.grace, std::nullopt, events);
  if (!killed) return;
  for (const proc::Survivor& one : killed->survivors)
    survivors_.push_back(std::to_string(one.pid) + " (" + one.name + ")");
}

void AdoptedRun::wait() {
  std::vector<const os::Handle*> readable;
  if (group_) readable.push_back(&group_->changes());
  // One that has ended would wake us without end.
  if (!command_ended()) readable.push_back(&command_);
  if (control_) readable.push_back(&control_->handle());
  if (!end_ && timer_) readable.push_back(&timer_->handle());
  if (!end_ && inbox_) readable.push_back(&inbox_->handle());
  if (!order_ && owner_) readable.push_back(&owner_->handle());
  streams_.add_handles(readable);
  std::optional<std::chrono::milliseconds> limit;
  if (end_) {
    const Duration left = std::max(end_->due() - services_.clock.mono(), Duration::zero());
    limit = std::chrono::ceil<std::chrono::milliseconds>(left);
  } else if (group_is_empty() && command_ended()) {
    limit = kLookOutside;  // those who are waited for have no handle here
  }
  const auto woken = os::wait_readable(readable, limit);
  if (!woken) os::pause(kReapPause);
}

// --- the end

TreeReport AdoptedRun::facts() const {
  TreeReport report;
  report.started = record().started.value_or(record().created);
  report.ended = services_.clock.wall();
  report.ended_by = order_ ? order_->by : EndedBy::kNobody;
  report.deadline_fired =
      report.ended_by == EndedBy::kDeadline || report.ended_by == EndedBy::kIdle;
  report.empty = true;
  report.commands.emplace_back().end = status_;
  return report;
}

Conclusion AdoptedRun::conclusion() {
  return {.clock = services_.clock,
          .events = services_.events,
          .record = record(),
          .dir = &orphan_->dir,
          .signals = signals_,
          .log = streams_.log(),
          .environment = environment_of(record(), orphan_->dir)};
}

void AdoptedRun::finish() {
  streams_.take_rest();
  if (LogFile* log = streams_.log()) {
    record().log_bytes = log->bytes();
    record().log_lost = log->lost();
  }
  if (command_.valid() && command_ended()) status_ = status_of(command_, services_.clock);
  if (proven_) {
    // Before the record is final: a group that is gone proves as much as an empty one.
    const auto removed = group_->remove();
    static_cast<void>(removed);  // empty, it harms nobody
    const auto limits = proc::Limits::remove_left_behind(record().run);
    static_cast<void>(limits);
    TreeReport report = facts();
    conclusion().verify(report, control_ ? &*control_ : nullptr);
    conclusion().doubt(report, locks_.lost());
    if (status_ || report.deadline_fired) {
      note_outcome(record(), report);
    } else {
      record().ended = report.ended;
      record().reason = reason::kNoStatus;
      const auto lost = locks_.lost();
      if (!lost.empty())
        record().detail = "the lock '" + lost.front() + "' was another's while it worked";
      record().state = lost_from(record().state);
    }
  } else {
    finish_unproven();
  }
  const auto saved = orphan_->dir.write(record(), os::Durability::kFull);
  static_cast<void>(saved);  // the next look finds a dead supervisor and an empty group
  tell_of(services_.events, proven_ ? "session.ended" : "session.orphaned", record());
  control_.reset();
  const auto removed = session::remove_control(orphan_->dir.dir());
  static_cast<void>(removed);
  if (proven_) {
    locks_.release();
  } else {
    locks_.leave();
  }
  if (proven_) {  // under the name, as in SessionRun
    Conclusion end = conclusion();
    end.tell();
    end.run_on_end();
  }
  leave_orphan(*orphan_, proven_ ? Leave::kOver : Leave::kStillThere);
}

void AdoptedRun::finish_unproven() {
  const supervise::Verdict verdict = supervise::judge(to_run_report(facts()));
  record().exit_code = verdict.exit_code;
  record().signal = verdict.signal;
  record().survivors = survivors_;
  record().reason = survivors_.empty() ? reason::kUnproven : reason::kSurvivors;
  record().detail = survivors_.empty()
                        ? "its command has ended, and nothing proves that it has left nobody behind"
                        : "somebody is left after KILL";
  record().state = session::next(record().state, Event::kSupervisorGone).value_or(record().state);
}

// From here on a record that cannot be written stops nothing.
void AdoptedRun::enter(Event event, os::Durability durability) {
  const auto entered = enter_state(*orphan_, record(), event, durability);
  static_cast<void>(entered);
}

}  // namespace holdfast::run
