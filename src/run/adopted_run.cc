// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving at the end: the command exits, its last child prints a line and goes,
// and the group is empty. The pipes are read once more after that (nobody is left who could print),
// and the status is asked of the pidfd, which the kernel answers from the moment in which the
// command's parent, init by now, has reaped it: some moments after the pidfd said that it has
// ended. So the question is repeated for a while; a parent that never looks makes the answer "not
// known".
#include "run/adopted_run.h"

#include <algorithm>

#include "base/budget.h"
#include "os/background.h"
#include "os/file.h"
#include "os/pause.h"
#include "os/pidfd.h"
#include "os/pidfd_exit.h"
#include "os/poll.h"
#include "proc/identity_record.h"
#include "proc/limits.h"
#include "proc/verdict.h"
#include "run/aside.h"
#include "run/final_state.h"
#include "run/orphan_proof.h"
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

Error not_adopted(const std::string& name, ErrorCode code, std::string_view cause,
                  std::string detail) {
  return {.code = code,
          .op = "adopt the session",
          .subject = "'" + name + "'",
          .cause = std::string(cause),
          .detail = std::move(detail) + "; nothing was done"};
}

// Rule P4: the limits were announced when the session was started, so nothing that the journal
// cannot take stops their work.
class AnnouncedForce final : public EventSink {
 public:
  explicit AnnouncedForce(EventSink& to) : to_(to) {}
  Result<EventReceipt> record(const holdfast::Event& event) override {
    return to_.record(event).value_or(EventReceipt{});
  }

 private:
  EventSink& to_;
};

// The status went with the first supervisor: that is where the table has such an end, and where a
// tree without proof stays.
SessionState without_status(SessionState state, std::optional<Event> then) {
  const SessionState orphaned = session::next(state, Event::kSupervisorGone).value_or(state);
  return then ? session::next(orphaned, *then).value_or(orphaned) : orphaned;
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
  const std::string no_log = streams_.open(record(), command_, orphan_->dir.dir());
  record().adopted = true;
  record().reason = "adopted";
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
  if (record().command) {
    proc::LifeVerdict verdict = proc::judge(proc::from_record(*record().command));
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
  if (group_ || command_.valid()) return {};
  return fail(not_adopted(record().name, ErrorCode::kCannotTell, "nothing-to-hold",
                          "its command is gone, and without a control group nobody can tell who "
                          "is left of it; `holdfast stop " +
                              record().name + " --assume-gone --reason TEXT` closes it"));
}

// --- while it runs

bool AdoptedRun::command_ended() const {
  return command_.valid() && os::has_ended(command_).value_or(false);
}

bool AdoptedRun::group_is_empty() const { return group_ && !group_->populated().value_or(true); }

void AdoptedRun::watch_until_over() {
  while (!over_) {
    if (streams_.round()) {
      last_output_ = services_.clock.boot();
      record().last_output = services_.clock.wall();
    }
    if (group_ ? group_is_empty() : command_ended()) {
      over_ = true;
      return;
    }
    if (end_) {
      const auto step = end_->step();
      if (step && *step == OrphanEnd::Step::kSurvivors) {
        survivors_ = true;
        return;
      }
    } else if (const auto order = next_order()) {
      begin_end(*order);
      continue;
    }
    wait();
  }
}

// A deadline that cannot be waited for is due: it was promised.
std::optional<EndOrder> AdoptedRun::next_order() {
  if (auto asked = asked_order()) return asked;
  if (inbox_) {
    const auto signal = inbox_->next();
    if (signal && *signal && os::asks_to_end((*signal)->number))
      return EndOrder{.by = EndedBy::kStop};
  }
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
  // What the command left behind when it ended is ended too, unless it was to be waited for.
  if (group_ && command_ended() && !record().order.wait_descendants)
    return EndOrder{.by = EndedBy::kNobody};
  const auto set = timer_->set(due);
  if (!set && due) return EndOrder{.by = EndedBy::kFault};
  return std::nullopt;
}

std::optional<EndOrder> AdoptedRun::asked_order() {
  if (!control_) return std::nullopt;
  const auto asked = control_->read_requests();
  if (!asked) {
    control_.reset();
    return std::nullopt;
  }
  if (asked->requests.empty()) return std::nullopt;
  const SessionRequest& request = asked->requests.front();
  return EndOrder{.by = EndedBy::kStop, .grace = request.grace, .signal = request.signal};
}

void AdoptedRun::begin_end(const EndOrder& order) {
  ended_by_ = order.by;
  if (order.by != EndedBy::kNobody) {
    record().reason = std::string(name(order.by));
    enter(Event::kBeingEnded, os::Durability::kNone);
    tell_of(services_.events, "session.stopping", record());
  }
  if (!group_) return end_without_group(order);
  end_.emplace(*group_, services_.clock);
  const auto begun = end_->begin(order.signal.value_or(record().order.kill_signal),
                                 order.grace.value_or(record().order.grace));
  static_cast<void>(begun);  // KILL follows
}

void AdoptedRun::end_without_group(const EndOrder& order) {
  AnnouncedForce events(services_.events);
  proc::KillOrder kill{
      .tree = true, .grace = order.grace.value_or(record().order.grace), .run = record().run};
  kill.first_signal = order.signal.value_or(record().order.kill_signal);
  const auto killed = proc::kill_process(proc::from_record(*record().command), kill, events);
  survivors_ = killed && killed->outcome == proc::KillOutcome::kSurvivors;
  if (killed) {
    for (const proc::Survivor& one : killed->survivors)
      record().survivors.push_back(std::to_string(one.pid) + " (" + one.name + ")");
  }
  over_ = true;
}

void AdoptedRun::wait() {
  std::vector<const os::Handle*> readable;
  if (group_) readable.push_back(&group_->changes());
  // One that has ended would wake us without end.
  if (command_.valid() && !command_ended()) readable.push_back(&command_);
  if (control_) readable.push_back(&control_->handle());
  if (!end_ && timer_) readable.push_back(&timer_->handle());
  if (!end_ && inbox_) readable.push_back(&inbox_->handle());
  streams_.add_handles(readable);
  std::optional<std::chrono::milliseconds> limit;
  if (end_) {
    const Duration left = std::max(end_->due() - services_.clock.mono(), Duration::zero());
    limit = std::chrono::ceil<std::chrono::milliseconds>(left);
    // What is asked now changes nothing any more, and must not wake us without end.
    if (control_) {
      const auto ignored = control_->read_requests();
      static_cast<void>(ignored);
    }
  }
  const auto woken = os::wait_readable(readable, limit);
  if (!woken) os::pause(kReapPause);
}

// --- the end

TreeReport AdoptedRun::facts() const {
  TreeReport report;
  report.started = record().started.value_or(record().created);
  report.ended = services_.clock.wall();
  report.ended_by = ended_by_;
  report.deadline_fired = ended_by_ == EndedBy::kDeadline || ended_by_ == EndedBy::kIdle;
  report.empty = true;
  report.commands.emplace_back().end = status_;
  return report;
}

void AdoptedRun::finish() {
  streams_.take_rest();
  if (LogFile* log = streams_.log()) {
    record().log_bytes = log->bytes();
    record().log_lost = log->lost();
  }
  if (command_ended()) status_ = status_of(command_, services_.clock);
  const bool proven = group_ && over_;
  if (proven) {
    // Before the record is final: a group that is gone proves as much as an empty one.
    const auto removed = group_->remove();
    static_cast<void>(removed);  // empty, it harms nobody
    const auto limits = proc::Limits::remove_left_behind(record().run);
    static_cast<void>(limits);
    TreeReport report = facts();
    verify(report);
    if (status_ || report.deadline_fired) {
      note_outcome(record(), report);
    } else {
      record().ended = report.ended;
      record().reason = "no-status";
      record().state = without_status(record().state, Event::kTreeGone);
    }
  } else {
    if (end_) {
      for (const proc::Survivor& one : end_->members())
        record().survivors.push_back(std::to_string(one.pid) + " (" + one.name + ")");
    }
    const TreeReport report = facts();
    const supervise::Verdict verdict = supervise::judge(to_run_report(report));
    record().exit_code = verdict.exit_code;
    record().signal = verdict.signal;
    record().reason = survivors_ ? "survivors" : "unproven";
    record().detail = survivors_ ? "somebody is left after KILL"
                                 : "its command has ended; without a control group nothing proves "
                                   "that it has left nobody behind";
    record().state = without_status(record().state, std::nullopt);
  }
  const auto saved = orphan_->dir.write(record(), os::Durability::kFull);
  static_cast<void>(saved);  // the next look finds a dead supervisor and an empty group
  tell_of(services_.events, proven ? "session.ended" : "session.orphaned", record());
  control_.reset();
  const auto removed = session::remove_control(orphan_->dir.dir());
  static_cast<void>(removed);
  leave_orphan(*orphan_, proven ? Leave::kOver : Leave::kStillThere);
  if (proven) run_on_end();
}

void AdoptedRun::verify(TreeReport& report) {
  if (!record().order.verify || !status_ || !claims_success(report)) return;
  enter(Event::kToVerify, os::Durability::kNone);
  const TreeReport said = run_aside(services_.clock,
                                    {.line = *record().order.verify,
                                     .timeout = record().order.verify_timeout,
                                     .environment = environment(),
                                     .directory = record().order.directory},
                                    signals_, Ground::kBack, streams_.log());
  report.verified = verdict_of(said);
  record().verified = report.verified == supervise::Verified::kConfirmed;
  tell_of(services_.events, *record().verified ? "session.verified" : "session.unverified",
          record());
}

void AdoptedRun::run_on_end() {
  if (!record().order.on_end) return;
  std::vector<std::string> told = environment();
  told.push_back("HOLDFAST_STATE=" + std::string(to_text(record().state)));
  if (record().exit_code)
    told.push_back("HOLDFAST_EXIT_CODE=" + std::to_string(*record().exit_code));
  if (record().signal) told.push_back("HOLDFAST_SIGNAL=" + std::to_string(*record().signal));
  const TreeReport ignored = run_aside(services_.clock,
                                       {.line = *record().order.on_end,
                                        .timeout = kDefaultVerifyTimeout,
                                        .environment = std::move(told),
                                        .directory = record().order.directory},
                                       signals_, Ground::kBack, streams_.log());
  static_cast<void>(ignored);
}

std::vector<std::string> AdoptedRun::environment() const {
  std::vector<std::string> all{"HOLDFAST_RUN=" + to_hex(record().run),
                               "HOLDFAST_SESSION=" + record().name,
                               "HOLDFAST_SESSION_DIR=" + orphan_->dir.dir().path()};
  for (const std::string& one : record().order.environment) all.push_back(one);
  return all;
}

// From here on a record that cannot be written stops nothing.
void AdoptedRun::enter(Event event, os::Durability durability) {
  const auto entered = enter_state(*orphan_, record(), event, durability);
  static_cast<void>(entered);
}

}  // namespace holdfast::run
