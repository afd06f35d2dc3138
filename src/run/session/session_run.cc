// SPDX-License-Identifier: Apache-2.0
#include "run/session/session_run.h"

#include <utility>

#include "base/budget.h"
#include "base/cause.h"
#include "base/clock.h"
#include "format/session/outcome.h"
#include "os/dir/dir.h"
#include "os/machine/machine_id.h"
#include "os/path/path.h"
#include "os/process/background.h"
#include "os/signal/signal_flag.h"
#include "os/spawn/child.h"
#include "os/spawn/env.h"
#include "os/stream/pipe.h"
#include "os/watch/poll.h"
#include "proc/identity/identity.h"
#include "run/lock/name_lock.h"
#include "run/orphan/old_run.h"
#include "run/orphan/orphan_outside.h"
#include "run/session/final_state.h"
#include "run/session/side_command.h"
#include "session/record/layout.h"
#include "session/workspace/below.h"
#include "session/workspace/workspace.h"
#include "supervise/front_end.h"
#include "supervise/shim.h"
#include "supervise/verdict.h"

namespace holdfast::run {
namespace {

using supervise::EndedBy;
using supervise::EndOrder;
using supervise::TreeReport;

constexpr std::string_view kSessionRunProcessName = "holdfast-run";
// For each piece that the caller takes no longer.
constexpr std::chrono::milliseconds kShowWhenHurried{2000};

Error interrupted(const RunOrder& order) {
  return {.code = ErrorCode::kBusy,
          .op = "start",
          .subject = "'" + order.what.command.front() + "'",
          .cause = std::string(reason::kInterrupted),
          .detail = "it was asked to end before it had begun; nothing was started"};
}

// The workspaces that this run works in (session/workspace/below.h).
Result<std::vector<session::WorkspaceLock>> hold_workspaces(const std::string& directory) {
  const auto chain =
      HF_TRY(session::decode_below(os::env(session::kAttachedVariable).value_or("")));
  // Where we are cannot always be named; then it is no directory that anybody could be told.
  const std::string working =
      (directory.empty() ? os::working_dir() : os::absolute_from_here(directory)).value_or("");
  return session::hold_below(chain, working);
}

}  // namespace

TreeReport SessionRun::run() {
  TreeReport report;
  if (auto ready = prepare(); !ready) {
    report.fault = std::move(ready).error();
    report.ended = services_.clock.wall();
    report.empty = true;
  } else {
    const supervise::TreeRequest request = tree_request();
    {
      supervise::Shim shim(services_.clock, request, signals_, {}, this);
      report = shim.run();
    }
    // A start that failed: the child goes when its gate closes, which was with the shim.
    if (!report.started) report.empty = supervise::reap_all(services_.clock);
    const bool wants_group = order_.name || order_.what.timeout;
    if (wants_group) end_strays(record_, services_.events, report);
    streams_.take_rest();
    say(supervise::kNewsOver);
    conclusion().verify(report, control_ ? &*control_ : nullptr);
    // A caller that did not get all of the output must not take it for whole.
    if (const auto error = streams_.not_shown()) spoil(report, *error);
  }
  finish(report);
  show_rest(report);
  return report;
}

// --- before the command

Result<> SessionRun::prepare() {
  if (order_.what.owner) owner_ = HF_TRY(Owner::watch(*order_.what.owner));
  // Before the caller's descriptors go: until then this process has those of an attachment.
  below_ = HF_TRY(hold_workspaces(order_.what.directory));
  if (order_.ground == Ground::kBack) HF_TRY(os::enter_background(kSessionRunProcessName));
  record_.run = order_.run;
  record_.order = order_.what;
  record_.created = services_.clock.wall();
  {
    // There is no loop yet that would hear of a signal while the name or a lock is waited for.
    const os::SignalFlag asked = HF_TRY(os::SignalFlag::listen());
    auto begun = begin(asked);
    if (asked.flag().raised()) {
      // Nothing was busy: it is on record as one that was stopped.
      if (!record_.asked) record_.asked = SessionAsked{.by = "a signal"};
      if (begun) begun = fail(interrupted(order_));
    }
    if (!begun) return begun;
  }
  if (dir_) static_cast<void>(keep_room());
  HF_TRY(streams_.open(order_, services_.clock, dir_ ? &dir_->dir() : nullptr, pty_));
  if (order_.what.idle_timeout) idle_timer_ = HF_TRY(os::BootTimer::create());
  if (order_.ground == Ground::kBack) forget_budget();  // of the caller, who does not wait for it
  return {};
}

Result<> SessionRun::begin(const os::SignalFlag& asked) {
  if (order_.name) HF_TRY(reserve(asked.flag()));
  if (dir_) control_ = HF_TRY(session::Control::make(dir_->dir()));
  if (!order_.what.locks.empty()) HF_TRY(take_locks(asked));
  return check_not_stopped();
}

Result<> SessionRun::reserve(const os::Flag& cancel) {
  record_.name = *order_.name;
  record_.host = os::host_name();
  record_.supervisor = proc::to_record(HF_TRY(proc::own_identity()));
  name_ = HF_TRY(take_name(*services_.locks, *services_.sessions,
                           {.name = record_.name,
                            .command = order_.what.command.front(),
                            .wait = order_.name_wait,
                            .cancel = &cancel}));
  // The lock of a workspace in the same directory, until the record is there.
  auto place = HF_TRY(session::enter_for_run(*services_.sessions, record_.name));
  dir_.emplace(std::move(place.dir));
  const auto last = HF_TRY(prove_old_run_over(*dir_, services_.clock));
  if (services_.guard != nullptr) {
    HF_TRY(check_room());
    HF_TRY(services_.guard->admit(last));
  }
  record_.counted = services_.guard != nullptr;
  const auto begun = begin_record(last);
  if (!begun) {
    if (services_.guard != nullptr) services_.guard->withdrawn();
    return fail(begun.error());
  }
  reserved_ = true;
  if (services_.guard != nullptr) services_.guard->reserved(record_);
  tell("session.reserved");
  return {};
}

Result<> SessionRun::begin_record(const std::optional<SessionRecord>& last) {
  record_.number = HF_TRY(leave_old_run_behind(*dir_, last));
  if (last) record_.streak = streak_after(*last);
  give_room();
  return dir_->write(record_, os::Durability::kFull);
}

// Under a guard, a full disk must show before the guard puts on record that the run begins.
Result<> SessionRun::check_room() {
  const auto room = keep_room();
  if (room || (room.error().cause != cause::kEnospc && room.error().cause != cause::kEdquot &&
               room.error().cause != cause::kDiskFull)) {
    return {};
  }
  give_room();
  return fail(room.error());
}

// Whoever asks the session to stop ends the wait.
Result<> SessionRun::take_locks(const os::SignalFlag& asked) {
  std::optional<os::ReadableFlag> stop;
  if (control_) stop.emplace(HF_TRY(os::ReadableFlag::watch(control_->handle(), asked)));
  auto taken = locks_.take(*services_.locks, order_, services_.chain, asked.flag());
  stop.reset();
  HF_TRY(check_not_stopped());
  return taken;
}

Result<> SessionRun::check_not_stopped() {
  if (owner_ && owner_->has_ended()) {
    record_.asked = owner_->asked();
    return fail(owner_gone(order_.what.command.front()));
  }
  const auto asked = asked_order();
  if (!asked) return {};
  return fail({.code = ErrorCode::kBusy,
               .op = "start",
               .subject = "'" + order_.what.command.front() + "'",
               .cause = std::string(reason::kStopped),
               .detail = "the session was stopped before it had begun; nothing was started"});
}

// A log that fills the disk must not keep the end from being recorded: room for the final record is
// taken now, and given back just before it is written. Where the file system cannot, it goes
// without.
Result<> SessionRun::keep_room() {
  constexpr std::uint64_t kRoom = 32768;
  give_room();
  auto spare = HF_TRY(dir_->dir().create_file(session::spare_name(), kPrivateFile));
  return spare ? spare->allocate(kRoom) : Result<>();
}

void SessionRun::give_room() {
  if (!dir_) return;
  const auto removed = dir_->dir().remove_file(session::spare_name());
  static_cast<void>(removed);  // there is none
}

supervise::TreeRequest SessionRun::tree_request() const {
  const SessionOrder& what = order_.what;
  supervise::TreeRequest request;
  request.commands = {what.command};
  if (!what.directory.empty()) request.directory = what.directory;
  request.environment = environment();
  request.environment_without = outer_lock_variables(order_.ground);
  request.timeout = what.timeout;
  request.grace = what.grace;
  request.kill_signal = what.kill_signal;
  request.run = order_.run;
  request.inherit = locks_.life();
  for (const session::WorkspaceLock& one : below_)
    request.inherit.push_back(session::handle_of(one));
  std::erase(request.inherit, os::HandleTraits::nothing());
  // A run with neither a name nor a deadline has none unless a limit asks for it: a group costs a
  // sixth of a short run. Where there is a deadline, ECHILD alone would not do: who enters another
  // pid namespace leaves his children to the init of that one.
  request.contain_by_cgroup = order_.name.has_value() || what.timeout.has_value();
  request.own_pid_namespace = what.own_pid_namespace;
  request.limits = {.memory = what.memory,
                    .memory_by_rlimit = what.memory_by_rlimit,
                    .pids = what.pids,
                    .cpu_percent = what.cpu_percent,
                    .nofile = what.nofile,
                    .best_effort = what.limits_best_effort};
  if (what.wait_descendants) request.leftovers = supervise::Leftovers::kWait;
  if (order_.ground == Ground::kBack) request.session = os::SpawnSession::kNew;
  streams_.fill(request);
  return request;
}

// What --env says comes last: it may say it otherwise.
std::vector<std::string> SessionRun::environment() const {
  std::vector<std::string> all{"HOLDFAST_RUN=" + to_hex(order_.run)};
  if (dir_) {
    all.push_back("HOLDFAST_SESSION=" + record_.name);
    all.push_back("HOLDFAST_SESSION_DIR=" + dir_->dir().path());
  }
  for (std::string& one : locks_.environment()) all.push_back(std::move(one));
  for (const std::string& one : order_.what.environment) all.push_back(one);
  return all;
}

// --- while it runs

Result<> SessionRun::born(const os::OwnChild& command, const supervise::TreeFacts& facts) {
  streams_.spawned();
  say(supervise::kNewsBorn);
  command_ = command.pid;
  const bool under_outer = order_.ground == Ground::kFore && !services_.chain.empty();
  const bool may_stray = order_.what.timeout.has_value();  // end_strays needs the command
  if (!name_ && order_.what.locks.empty() && !under_outer && !may_stray) return {};
  // Our own unreaped child: the number means it.
  const auto identity = HF_TRY(proc::identity_of(command.pid));
  if (!identity) {
    return fail({.code = ErrorCode::kOsRefused,
                 .op = "start",
                 .subject = "'" + order_.what.command.front() + "'",
                 .cause = "child-gone",
                 .detail = "its process ended before it was let go; nothing ran"});
  }
  const ProcessIdentity work = proc::to_record(*identity);
  if (under_outer) HF_TRY(outer_.bind(services_.chain, work, services_.clock));
  HF_TRY(locks_.set_work(work));
  record_.command = work;
  if (!name_) return {};
  if (HF_TRY(name_->set_work(work)) == lock::Owned::kLost) {
    return fail({.code = ErrorCode::kBusy,
                 .op = "start the session",
                 .subject = "'" + record_.name + "'",
                 .cause = std::string(reason::kLost),
                 .detail = "the lock of its name was taken away; nothing ran"});
  }
  record_.containment = std::string(name(facts.containment));
  record_.cgroup = facts.cgroup;
  record_.limits_by = facts.limits_by;
  const auto time =
      tree_within_budget(order_.what.timeout, order_.what.grace, services_.clock.mono()).time;
  if (time) {
    const BootTime deadline = after(services_.clock.boot(), *time);
    record_.deadline_boot_ns = deadline.time_since_epoch().count();
  }
  record_.state = *session::next(record_.state, session::Event::kSupervisorThere);
  HF_TRY(dir_->write(record_, os::Durability::kFull));
  tell("session.starting");
  return check_not_stopped();
}

void SessionRun::started(WallTime at) {
  record_.started = at;
  last_output_ = services_.clock.boot();
  if (!idle_timer_) return;
  const auto set = idle_timer_->set(after(last_output_, *order_.what.idle_timeout));
  if (!set) idle_broken_ = set.error();
}

void SessionRun::running() {
  enter(session::Event::kGateOpened, os::Durability::kNone);
  tell("session.running");
  say(supervise::kNewsRuns);
  if (!ending_) return;  // it is being ended since before this was known
  enter(session::Event::kBeingEnded, os::Durability::kNone);
}

void SessionRun::say(char news) {
  if (!news_.valid()) return;
  const auto told = os::write_some(news_, {&news, 1});
  static_cast<void>(told);  // the caller is gone; the run goes on
}

void SessionRun::add_handles(std::vector<const os::Handle*>& readable,
                             std::vector<const os::Handle*>& writable) const {
  streams_.add_handles(readable, writable);
  if (control_) readable.push_back(&control_->handle());
  if (idle_timer_) readable.push_back(&idle_timer_->handle());
  if (owner_) readable.push_back(&owner_->handle());
}

std::optional<EndOrder> SessionRun::round() {
  if (streams_.round()) {
    last_output_ = services_.clock.boot();
    record_.last_output = services_.clock.wall();
  }
  if (auto asked = asked_order()) return asked;
  if (auto gone = owner_order()) return gone;
  return idle_order();
}

// Once: its handle would wake the loop without end.
std::optional<EndOrder> SessionRun::owner_order() {
  if (!owner_ || !owner_->has_ended()) return std::nullopt;
  if (!record_.asked) record_.asked = owner_->asked();
  owner_.reset();
  return EndOrder{.by = EndedBy::kOwner};
}

std::optional<EndOrder> SessionRun::asked_order() {
  if (!control_) return std::nullopt;
  const auto asked = control_->read_requests();
  if (!asked) {
    control_.reset();  // then it is reached by signals alone
    return std::nullopt;
  }
  // Of several the one that waits least.
  std::optional<EndOrder> order;
  const Duration own = order_.what.grace;
  for (const SessionRequest& request : asked->requests) {
    if (order && request.grace.value_or(own) >= order->grace.value_or(own)) continue;
    order = EndOrder{.by = EndedBy::kStop, .grace = request.grace, .signal = request.signal};
    record_.asked = SessionAsked{.by = request.by.empty() ? "somebody" : request.by};
  }
  return order;
}

// It goes on record with the next state, or with the last one: what it is for is the outcome.
void SessionRun::asked_to_end(const os::ArrivedSignal& signal) {
  if (record_.asked) return;
  std::string by = os::signal_name(signal.number);
  by += signal.sender != 0 ? ", process " + std::to_string(signal.sender) : std::string();
  if (signal.origin == os::Origin::kTerminal) by += ", the terminal";
  record_.asked = SessionAsked{.by = std::move(by), .signal = signal.number};
  save(os::Durability::kNone);
}

// The timer stands at the last output that was known when it was set; whoever prints all the time
// costs one look each limit, not one each line. A timer that cannot be set ends the run: the limit
// was promised.
std::optional<EndOrder> SessionRun::idle_order() {
  if (!idle_timer_ || ending_) return std::nullopt;
  if (idle_broken_) return EndOrder{.by = EndedBy::kIdle};
  const BootTime due = after(last_output_, *order_.what.idle_timeout);
  if (services_.clock.boot() >= due) {
    // A terminal that was halted keeps the command from printing: that is not its silence.
    if (!streams_.is_blocked()) return EndOrder{.by = EndedBy::kIdle};
    last_output_ = services_.clock.boot();
  }
  const auto set = idle_timer_->set(after(last_output_, *order_.what.idle_timeout));
  if (!set) idle_broken_ = set.error();
  return std::nullopt;
}

void SessionRun::ending(EndedBy by) {
  ending_ = true;
  idle_timer_.reset();  // it has nothing to say any more, and would wake the loop for ever
  record_.reason = std::string(name(by));
  enter(session::Event::kBeingEnded, os::Durability::kNone);
  tell("session.stopping");
  if (command_) tell_of_kill(services_.events, record_, *command_, order_.what.kill_signal);
}

// --- after it

Conclusion SessionRun::conclusion() {
  return {.clock = services_.clock,
          .events = services_.events,
          .record = record_,
          .dir = reserved_ ? &*dir_ : nullptr,
          .signals = signals_,
          .ground = order_.ground,
          .log = streams_.log(),
          .environment = environment()};
}

// What is wrong with the answer of a command that succeeded. One that failed has its own.
void SessionRun::spoil(TreeReport& report, const Error& error) {
  if (report.fault || !claims_success(report)) return;
  report.fault = error;
  report.fault->code = ErrorCode::kIo;
}

void SessionRun::finish(TreeReport& report) {
  conclusion().doubt(report, locks_.lost());
  note_outcome(record_, report);
  // Without a name nobody has followed its states.
  if (!reserved_) record_.state = supervise::judge(to_run_report(report)).state;
  const bool ended_by_itself = report.ended_by == EndedBy::kNobody;
  if (command_) {
    tell_of_other_kills(services_.events, record_, *command_,
                        {.left_behind = ended_by_itself && report.terminated + report.killed > 0,
                         .out_of_memory = report.oom_killed});
  }
  const bool by_owner = report.fault && report.fault->cause == reason::kOwnerGone;
  if (!report.started && record_.asked)
    record_.reason = std::string(name(by_owner ? EndedBy::kOwner : EndedBy::kStop));
  // Nothing failed: it is what the caller asked for.
  const bool lock_busy = report.fault && report.fault->cause == cause::kLockBusy && !report.started;
  if (lock_busy && order_.if_busy == IfBusy::kSkip) record_.reason = reason::kSkipped;
  if (const LogFile* log = streams_.log()) {
    record_.log_bytes = log->bytes();
    record_.log_lost = log->lost();
  }
  if (reserved_) {
    give_room();
    not_saved_.reset();
    save(os::Durability::kFull);
    if (std::exchange(not_saved_, std::nullopt)) save(os::Durability::kFull);  // once more
    if (not_saved_) {
      spoil(report, *not_saved_);
      if (report.fault) record_.reason = std::string(reason_of_fault(report.fault->code));
    }
    tell("session.ended");
    if (record_.log_lost > 0) tell("session.log_lost");
    if (services_.guard != nullptr) services_.guard->finished(record_);
  }
  control_.reset();
  if (reserved_) {
    const auto removed = session::remove_control(dir_->dir());
    static_cast<void>(removed);  // who asks there finds nobody
  }
  // From here on a clean-up may take the directory.
  if (LogFile* log = streams_.log()) log->stay();
  locks_.release();
  if (report.empty) outer_.unbind(services_.clock);
  // Under the name: what it cleans up must not be the next run's.
  if (reserved_ || !order_.name) conclusion().tell();  // not of a run that never had the name
  if (report.started) conclusion().run_on_end();
  if (name_) {
    const auto released = name_->release();
    static_cast<void>(released);  // it goes with this process
  }
}

// Everything is on record by now, so this may wait for whoever reads, as the command would have;
// not for ever where time was up, and no longer than until a signal that asks to end.
void SessionRun::show_rest(const TreeReport& report) {
  const bool hurried = report.deadline_fired || report.ended_by != EndedBy::kNobody;
  std::optional<std::chrono::milliseconds> limit;
  const auto left = within_budget(kShowWhenHurried, services_.clock.mono()).time;
  if (hurried && left) limit = std::chrono::ceil<std::chrono::milliseconds>(*left);
  auto inbox = os::SignalInbox::open();
  while (streams_.is_blocked()) {
    std::vector<const os::Handle*> readable;
    std::vector<const os::Handle*> writable;
    streams_.add_handles(readable, writable);
    readable.clear();
    if (inbox) readable.push_back(&inbox->handle());
    const auto ready = os::wait_ready(readable, writable, limit);
    if (!ready || !*ready) return;
    streams_.show();
    if (!inbox) continue;
    const auto signal = inbox->next();
    if (signal && *signal && os::asks_to_end((*signal)->number)) return;
  }
}

// --- the record

void SessionRun::enter(session::Event event, os::Durability durability) {
  const auto state = session::next(record_.state, event);
  if (!state) return;
  record_.state = *state;
  save(durability);
}

// Behind `reserved` a record that cannot be written stops nothing; the final one is tried again,
// and what cannot be written then is in the journal and in what the caller is told.
void SessionRun::save(os::Durability durability) {
  if (!reserved_) return;
  const auto saved = dir_->write(record_, durability);
  if (!saved && !not_saved_) not_saved_ = saved.error();
}

void SessionRun::tell(std::string_view type) {
  if (reserved_) tell_of(services_.events, type, record_);
}

}  // namespace holdfast::run
