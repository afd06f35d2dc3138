// SPDX-License-Identifier: Apache-2.0
//
// Why ECHILD and nothing else ends the loop.
//
// The natural way to end a tree is: list it, kill what is on the list, list again, and stop when
// the list is empty. A process that forks and exits in a circle (a "fork chain") defeats it: at the
// moment of each look, the old link has ended and the new one is not yet on the list. Such a rescan
// "found nothing" in three of three tries with a live chain. The kernel, however, never loses count
// of a subreaper's children: an orphan becomes our child in the same moment in which it loses its
// parent. So KILL is sent round after round to whatever is there, everything that ends is reaped,
// and only "no children" (ECHILD) is the end. Each round a chain must win a race against it; the
// rounds come back to back while something is dying, and their number is bounded by kPatience.
//
// On Windows nobody is adopted, and there is no need to: the job object around the tree holds all
// of it (tree_group.h), so there the proof is "no child, and nobody in the job", and no look at
// other processes of the machine is taken.
//
// Reaping and signalling by number happen in this one thread, in this order: reap, then signal. So
// a number that was confirmed as an unreaped child stays one until the signal is sent.
#include "supervise/shim.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "base/budget.h"
#include "base/clock.h"
#include "os/file/file.h"
#include "os/machine/real_clock.h"
#include "os/stream/pipe.h"
#include "os/watch/poll.h"
#include "proc/tree/process_table.h"

namespace holdfast::supervise {
namespace {

// From the TERM of the group to that of those who left it.
constexpr Duration kOutsideLater = std::chrono::milliseconds(200);

constexpr std::chrono::milliseconds kLongestPause{50};

}  // namespace

TreeReport Shim::run() {
  if (auto started = start(); started) {
    loop();
  } else {
    report_.fault = std::move(started).error();
  }
  report_.commands = commands_.facts();
  if (!report_.started && group_.made()) {
    commands_ = Commands();  // who waits at a gate would keep the group from being removed
    report_.empty = reap_all(clock_);
  }
  group_.finish(report_);
  // The init of a namespace is ours, and nobody that the command has left.
  if (request_.own_pid_namespace && commands_.first() != nullptr) {
    const os::Pid init = commands_.first()->pid;
    const auto is_init = [&](const auto& one) { return one.first == init; };
    std::erase_if(terminated_, is_init);
    std::erase_if(killed_, is_init);
    killed_in_group_.erase(init);
  }
  report_.terminated = static_cast<std::uint32_t>(terminated_.size());
  report_.killed = static_cast<std::uint32_t>(killed_.size() + killed_in_group_.size());
  report_.ended = clock_.wall();
  return std::move(report_);
}

// Where a step fails, the gates close with this process, and the children end without having run
// anything. Opening them is the last step: once one is open, only the loop can end what runs.
Result<> Shim::start() {
  HF_TRY(proc::check_proc());  // without it the tree could not be ended: better not to start
  HF_TRY(os::become_subreaper());
  if (!os::pidfds_work()) {
    reach_ = proc::Reach::kOwnChildren;
    report_.containment = Containment::kSubreaperByNumber;
  }
  inbox_ = HF_TRY(os::SignalInbox::open());
  timer_ = HF_TRY(os::BootTimer::create());
  HF_TRY(group_.prepare(request_, report_));
  HF_TRY(spawn());
  if (request_.own_pid_namespace) report_.containment = Containment::kPidNamespace;
  ends_.output.reset();  // it ends when the last one of the tree lets go of it
  // After the fork, so that the commands are still in the caller's group, and this process no more.
  // A session and not just a group: a group counts as orphaned once none of its members has a
  // parent in another group *of the same session*, and if one of them is stopped at that moment,
  // the kernel hangs up on them all. Under cron or a service manager a command would be that last
  // member, and its end would kill the caller.
  if (!os::leads_session()) HF_TRY(os::leave_session());
  if (hooks_ != nullptr) {
    const auto first = commands_.first();
    HF_TRY(hooks_->born(*first, report_));
  }
  HF_TRY(wait_for_go());
  const Allowed allowed = tree_within_budget(request_.timeout, grace_, clock_.mono());
  if (allowed.by_budget) due_is_ = EndedBy::kBudget;
  if (allowed.time) HF_TRY(set_due(*allowed.time));
  if (auto released = commands_.release(); released) {
    report_.started = clock_.wall();
    if (hooks_ != nullptr) hooks_->started(*report_.started);
    if (auto lives_on = group_.released(); !lives_on) fault(std::move(lives_on).error());
  } else {
    fault(std::move(released).error());
  }
  return {};
}

// A group that nobody can be put into (a threaded one above it, a delegation that ends below) shows
// only here. The tree can do without it, unless its limits are there.
Result<> Shim::spawn() {
  const os::NativeHandle output = ends_.output.valid() ? ends_.output.get() : request_.output;
  auto spawned = commands_.spawn(request_, output, signals_, group_.handle());
  if (!spawned && group_.made()) {
    const std::optional<Error> why = std::move(spawned).error();
    commands_ = Commands();
    static_cast<void>(reap_all(clock_));  // those of a row that were made before it failed
    if (!group_.give_up(report_)) return fail(*why);
    report_.containment =
        reach_ == proc::Reach::kPidfd ? Containment::kSubreaper : Containment::kSubreaperByNumber;
    spawned = commands_.spawn(request_, output, signals_);
  }
  HF_TRY(std::move(spawned));
  group_.take_changes();  // their coming is no news
  Result<> limited;
  commands_.each_living([&](const os::OwnChild& child) {
    if (limited) limited = group_.apply_limits(child.pid);
  });
  return limited;
}

// The numbers of the commands are known to nobody else; the kernel gives them to no other process
// before they are reaped here.
Result<> Shim::wait_for_go() {
  if (!ends_.born.valid()) return {};
  const os::Pid command = *commands_.facts().front().pid;
  const std::string_view bytes(reinterpret_cast<const char*>(&command), sizeof(command));
  HF_TRY(os::File(std::move(ends_.born), "the front end").write_all(bytes));
  std::array<char, 1> order{};
  if (HF_TRY(os::read_pipe(ends_.orders, order)) == 1 && order[0] == kOrderGo) return {};
  return fail({.code = ErrorCode::kCannotTell,
               .op = "start",
               .subject = "the command",
               .cause = "not-wanted",
               .detail = "its front end is gone or does not want it"});
}

void Shim::loop() {
  for (;;) {
    reap();
    if (phase_ == Phase::kKilling) kill_once();
    if (phase_ == Phase::kDone) break;
    terminate_outside();
    wait_for_events();
    group_.take_changes();
    take_signals();
    take_starts();
    take_hang_up();
    take_orders();
    take_hooks();
    if (due_ && clock_.boot() >= *due_) {
      reap();  // what has ended before the deadline was noticed has ended in time
      if (phase_ != Phase::kDone && due_ && clock_.boot() >= *due_) step(Event::kDue);
    }
  }
  take_starts();
}

void Shim::wait_for_events() {
  std::optional<std::chrono::milliseconds> limit;
  // Neither the success of a KILL nor the hang-up of an output that is not read to its end can be
  // waited for: they are looked for again and again.
  const bool looks_again = phase_ == Phase::kKilling || (phase_ == Phase::kRunning && let_go_by_);
  if (looks_again) limit = std::exchange(pause_, std::min(pause_ * 2, kLongestPause));
  if (phase_ == Phase::kTerminating && outside_due_) {
    const Duration left = std::max(*outside_due_ - clock_.mono(), Duration::zero());
    limit = std::chrono::ceil<std::chrono::milliseconds>(left);
  }
  std::vector<const os::Handle*> handles = commands_.start_handles();
  for (const os::Handle* outcome : commands_.outcome_handles()) handles.push_back(outcome);
  handles.insert(handles.end(), {&inbox_->handle(), &timer_->handle(), &ends_.wanted, &ends_.orders,
                                 group_.changes()});
  std::vector<const os::Handle*> writable;
  if (hooks_ != nullptr) hooks_->add_handles(handles, writable);
  const auto waited = os::wait_ready(handles, writable, limit);
  if (!waited) fault(waited.error());
}

void Shim::take_signals() {
  for (;;) {
    const auto signal = inbox_->next();
    if (!signal || !*signal) return;
    const os::Origin origin = (*signal)->origin;
    const bool sent = origin == os::Origin::kSender;
    const bool reached = sent || origin == os::Origin::kTerminal;
    if (reached && os::asks_to_end((*signal)->number) && !commands_.all_ended()) {
      report_.asked = (*signal)->number;
      if (hooks_ != nullptr) hooks_->asked_to_end(**signal);
    }
    if (sent) commands_.signal_living((*signal)->number);
  }
}

void Shim::take_starts() {
  if (const auto taken = commands_.take_starts(); !taken) fault(taken.error());
  if (hooks_ != nullptr && !told_running_ && commands_.all_started()) {
    told_running_ = true;
    hooks_->running();
  }
  if (commands_.pointless()) step(Event::kLeftOver);
}

void Shim::take_hang_up() {
  if (!ends_.wanted.valid()) return;
  const auto hung_up = os::is_readable(ends_.wanted);
  if (!hung_up) return fault(hung_up.error());
  if (!*hung_up) return;
  ends_.wanted.reset();
  ends_.output_watch.reset();
  end(EndedBy::kLost);
}

void Shim::take_orders() {
  if (!ends_.orders.valid()) return;
  const auto ready = os::is_readable(ends_.orders);
  if (!ready) return fault(ready.error());
  if (!*ready) return;
  std::array<char, 1> order{};
  const auto got = os::read_pipe(ends_.orders, order);
  if (got && *got == 1 && order[0] == kOrderEnd) return end(EndedBy::kLost);
  ends_.orders.reset();  // nobody is left to give any
}

void Shim::take_hooks() {
  if (hooks_ == nullptr) return;
  const auto order = hooks_->round();
  if (!order || phase_ == Phase::kKilling || phase_ == Phase::kDone) return;
  // Who asks again while the tree is being ended may shorten the grace, never lengthen it.
  if (phase_ == Phase::kTerminating) {
    const BootTime until = after(clock_.boot(), order->grace.value_or(grace_));
    if (!due_ || until >= *due_) return;
    if (const auto set = set_due(order->grace.value_or(grace_)); !set) fault(set.error());
    return;
  }
  grace_ = order->grace.value_or(grace_);
  kill_signal_ = order->signal.value_or(kill_signal_);
  if (order->by == EndedBy::kIdle) report_.deadline_fired = true;
  end(order->by);
}

// Of a tree that would go on. It is told after the TERM: to record it may take a moment.
void Shim::end(EndedBy by) {
  const bool goes_on = !commands_.all_ended() || request_.leftovers == Leftovers::kWait;
  const bool first = phase_ == Phase::kRunning && report_.ended_by == EndedBy::kNobody && goes_on;
  if (first) report_.ended_by = by;
  step(Event::kLeftOver);
  if (first && hooks_ != nullptr) hooks_->ending(by);
}

void Shim::reap() {
  bool adopted = false;
  commands_.take_outcomes();
  for (;;) {
    const auto reaped = os::reap_any();
    if (!reaped) return fault(reaped.error());
    if (const auto* end = std::get_if<os::ChildEnd>(&*reaped)) {
      commands_.note_end(*end);
      pause_ = std::chrono::milliseconds(1);
      adopted = true;
      continue;
    }
    const bool no_children = std::holds_alternative<os::NoChildren>(*reaped);
    const auto left = no_children ? look_at_group() : TreeGroup::Left::kSomebody;
    if (left == TreeGroup::Left::kNobody) {
      report_.empty = true;
      step(Event::kEmpty);
    } else if (left == TreeGroup::Left::kSomebody && commands_.all_ended()) {
      if (phase_ == Phase::kRunning && waits_for_output()) break;
      if (phase_ == Phase::kRunning && request_.leftovers == Leftovers::kWait) break;
      if (phase_ == Phase::kRunning && request_.leftovers == Leftovers::kLeave) {
        report_.left_alone = true;
        phase_ = Phase::kDone;
        break;
      }
      step(Event::kLeftOver);
    }
    break;
  }
  if (adopted && phase_ == Phase::kTerminating) terminate_newly_adopted();
}

// The commands have ended and somebody still holds the output. It may be about to let go: of
// `daemon >log & echo made` the shell can end before its child has got as far as the `>log`. So
// there is a moment for that. Who holds it longer has to be ended and may have had more to say;
// what it says when it is told to go does not make the output whole.
bool Shim::waits_for_output() {
  if (!ends_.output_watch.valid()) return false;
  if (const auto hung_up = os::is_hung_up(ends_.output_watch); !hung_up) {
    fault(hung_up.error());
  } else if (!*hung_up) {
    const MonoTime now = clock_.mono();
    if (!let_go_by_) let_go_by_ = now + kLetGo;
    if (now < *let_go_by_) return true;
    report_.output_cut = true;
  }
  ends_.output_watch.reset();
  return false;
}

// A group that does not answer proves nothing; ECHILD is still what it is without one, and the
// report then says that this is all there is.
TreeGroup::Left Shim::look_at_group() {
  const TreeGroup::Left left = group_.look();
  if (left != TreeGroup::Left::kCannotTell) return left;
  if (request_.own_pid_namespace) return TreeGroup::Left::kNobody;
  report_.containment =
      reach_ == proc::Reach::kPidfd ? Containment::kSubreaper : Containment::kSubreaperByNumber;
  return TreeGroup::Left::kNobody;
}

void Shim::step(Event event) {
  const Step step = next(phase_, event);
  const bool deadline = phase_ == Phase::kRunning && event == Event::kDue;
  if (deadline) {
    report_.deadline_fired = true;
    if (report_.ended_by == EndedBy::kNobody) report_.ended_by = due_is_;
  }
  phase_ = step.phase;
  act(step.action);
  if (deadline && hooks_ != nullptr) hooks_->ending(due_is_);
}

void Shim::act(Action action) {
  switch (action) {
    case Action::kNone:
      return;
    case Action::kTerminate:
      if (const auto set = set_due_in_budget(grace_before_deadline()); !set)
        return fault(set.error());
      return terminate();
    case Action::kKill:  // the loop sends it, and looks at the clock without the timer's help
      if (const auto set = set_due_in_budget(kPatience); !set) return fault(set.error());
      return;
    case Action::kNameSurvivors:
      return name_survivors();
  }
}

void Shim::fault(Error error) {
  if (!report_.fault) report_.fault = std::move(error);
  step(Event::kFault);
}

// A longer grace, which `stop` may give, does not put the deadline off: the tree is killed at the
// latest when it would have been without it (rule P4). `due_` is the deadline as long as it runs.
Duration Shim::grace_before_deadline() const {
  const BootTime now = clock_.boot();
  if (!due_ || *due_ <= now) return grace_;
  return std::min(grace_, after(*due_, request_.grace) - now);
}

// Also where nothing is left of it there is a moment for the kernel to do what it was asked to.
Result<> Shim::set_due_in_budget(Duration wanted) {
  constexpr Duration kLeast = std::chrono::milliseconds(50);
  const Allowed allowed = within_budget(wanted, clock_.mono());
  return set_due(allowed.by_budget ? std::max(*allowed.time, kLeast) : wanted);
}

Result<> Shim::set_due(Duration from_now) {
  const BootTime now = clock_.boot();
  constexpr auto kNever = BootTime(Duration(std::numeric_limits<Duration::rep>::max()));
  due_ = from_now < kNever - now ? now + from_now : kNever;
  return timer_->set(due_);
}

// TERM is for those who are there now. What they start afterwards may well be their own clean-up (a
// shell's trap), which is what the grace is for.
void Shim::terminate() {
  if (reach_ == proc::Reach::kOwnChildren && !group_.holds_all()) {
    const auto tree = proc::living_descendants();
    if (!tree) return fault(tree.error());
    for (const auto& facts : *tree) {
      newest_at_terminate_ = std::max(newest_at_terminate_, facts.start_ticks);
    }
  }
  // CONT, because a stopped process would sleep through its TERM.
  const std::vector<int> signals{kill_signal_, os::continue_signal()};
  if (terminate_namespace(signals)) return;
  const std::vector<os::Pid> in_group = group_.members();
  // A pass looks at every process of the machine, which is dear where a thousand supervisors end at
  // once, and is only for those who left the group: most trees are over before it is due.
  if (reach_ == proc::Reach::kPidfd && !in_group.empty()) {
    const std::vector<os::Pid> reached = group_.signal(in_group, signals);
    for (const os::Pid pid : reached) terminated_.emplace(pid, 0);
    if (!group_.holds_all()) outside_due_ = clock_.mono() + kOutsideLater;
    // Nobody could be asked, so nobody would make use of the grace.
    if (group_.holds_all() && reached.empty()) {
      if (const auto set = set_due(Duration::zero()); !set) fault(set.error());
    }
    return;
  }
  if (group_.holds_all()) return;
  const auto pass = terminate_pass(signals, [](const proc::ProcessFacts&) { return true; });
  if (!pass) return fault(pass.error());
  signal_unseen_commands(*pass, signals);
  terminate_others(in_group, *pass, signals);
}

// Who is in the group by now and was not then is somebody's clean-up, and is left to do it.
void Shim::terminate_outside() {
  if (phase_ != Phase::kTerminating || !outside_due_ || clock_.mono() < *outside_due_) return;
  outside_due_.reset();
  const std::vector<os::Pid> inside = group_.members();
  const auto pass =
      terminate_pass({kill_signal_, os::continue_signal()}, [&](const proc::ProcessFacts& facts) {
        return std::ranges::find(inside, facts.pid) == inside.end();
      });
  if (!pass) return fault(pass.error());
}

// In a pid namespace orphans go to its init, not to us, so the next process that a pass wants may
// have another parent by then. The init reaches all of them at once. false: it cannot be asked.
bool Shim::terminate_namespace(const std::vector<int>& signals) {
  if (!request_.own_pid_namespace || commands_.first() == nullptr) return false;
  if (const auto tree = proc::living_descendants()) {  // for the report
    for (const auto& facts : *tree) terminated_.emplace(facts.pid, facts.start_ticks);
  }
  for (const int signal : signals) {
    if (!commands_.first()->signal_namespace(signal)) return false;
  }
  return true;
}

// A pass misses those whose parent ends between the look and the signal, if the new one is not us:
// somebody below may be a subreaper as well. They were there, so another pass is for them; who came
// later is left alone.
Result<proc::TreePass> Shim::terminate_pass(
    const std::vector<int>& signals, const std::function<bool(const proc::ProcessFacts&)>& wanted) {
  constexpr int kMostPasses = 16;
  proc::TreePass first;
  for (int i = 0; i < kMostPasses; ++i) {
    proc::TreePass pass =
        HF_TRY(proc::signal_tree(reach_, signals, [&](const proc::ProcessFacts& facts) {
          return wanted(facts) && !terminated_.contains({facts.pid, facts.start_ticks}) &&
                 (i == 0 || facts.start_ticks <= first.newest);
        }));
    for (const auto& facts : pass.signalled) terminated_.emplace(facts.pid, facts.start_ticks);
    const bool again = pass.missed > 0;
    if (i == 0) {
      first = std::move(pass);
    } else {
      std::ranges::move(pass.signalled, std::back_inserter(first.signalled));
      std::ranges::move(pass.refused, std::back_inserter(first.refused));
    }
    if (!again) break;
  }
  return first;
}

// Who was put into the group from outside is no descendant, and ends with it all the same.
void Shim::terminate_others(const std::vector<os::Pid>& before, const proc::TreePass& pass,
                            const std::vector<int>& signals) {
  std::set<os::Pid> done;
  for (const auto& facts : pass.signalled) done.insert(facts.pid);
  for (const auto& facts : pass.refused) done.insert(facts.pid);
  commands_.each_living([&](const os::OwnChild& child) { done.insert(child.pid); });
  std::vector<os::Pid> others;
  std::ranges::copy_if(before, std::back_inserter(others),
                       [&](os::Pid pid) { return !done.contains(pid); });
  for (const os::Pid pid : group_.signal(others, signals)) terminated_.emplace(pid, 0);
}

// Without pidfds the first TERM reached one level only. Those below come to us as their parents
// die; they get theirs then, if they were there when it was sent.
void Shim::terminate_newly_adopted() {
  if (reach_ == proc::Reach::kPidfd) return;
  const auto pass = proc::signal_tree(
      reach_, {kill_signal_, os::continue_signal()}, [&](const proc::ProcessFacts& facts) {
        return facts.start_ticks <= newest_at_terminate_ &&
               !terminated_.contains({facts.pid, facts.start_ticks});
      });
  if (!pass) return fault(pass.error());
  for (const auto& facts : pass->signalled) terminated_.emplace(facts.pid, facts.start_ticks);
}

// With a group the kernel strikes everybody in it, and the passes are for those who left it. They
// cost a look at every process of the machine, so they wait until the group is empty, but not for
// ever: one member that cannot die must not protect those outside.
bool Shim::kill_group() {
  constexpr Duration kBetweenPasses = std::chrono::milliseconds(250);
  const MonoTime now = clock_.mono();
  if (!next_pass_) {
    next_pass_ = now + kBetweenPasses;
    for (const os::Pid pid : group_.members()) killed_in_group_.insert(pid);
  }
  if (!group_.kill()) return false;
  if (now < *next_pass_) return true;
  next_pass_ = now + kBetweenPasses;
  return false;
}

void Shim::kill_once() {
  if (kill_group()) return;
  if (group_.holds_all()) return commands_.signal_living(os::kSignalKill);
  const auto pass =
      proc::signal_tree(reach_, {os::kSignalKill}, [](const proc::ProcessFacts&) { return true; });
  if (!pass) {
    if (!report_.fault) report_.fault = pass.error();
    // /proc fails us now; the commands themselves can be reached without it.
    return commands_.signal_living(os::kSignalKill);
  }
  signal_unseen_commands(*pass, {os::kSignalKill});
  for (const auto& facts : pass->signalled) {
    if (!killed_in_group_.contains(facts.pid)) killed_.emplace(facts.pid, facts.start_ticks);
  }
}

// hidepid=2 keeps a set-user-id command out of every listing; we know it without one.
void Shim::signal_unseen_commands(const proc::TreePass& pass, const std::vector<int>& signals) {
  commands_.each_living([&](const os::OwnChild& child) {
    const auto is_command = [&](const proc::ProcessFacts& facts) { return facts.pid == child.pid; };
    if (std::ranges::any_of(pass.signalled, is_command) ||
        std::ranges::any_of(pass.refused, is_command)) {
      return;
    }
    for (const int signal : signals) {
      const auto sent = child.signal(signal);
      static_cast<void>(sent);  // the proof is ECHILD, not this
    }
  });
}

void Shim::name_survivors() {
  std::set<os::Pid> named;
  if (group_.holds_all()) {
    // Then the list below is all of it.
  } else if (const auto tree = proc::living_descendants()) {
    for (const auto& facts : *tree) {
      report_.survivors.push_back({facts.pid, facts.name});
      named.insert(facts.pid);
    }
  } else if (!report_.fault) {
    report_.fault = tree.error();
  }
  for (const os::Pid pid : group_.members()) {
    if (!named.insert(pid).second) continue;
    const auto facts = proc::read_process(pid);
    report_.survivors.push_back({pid, facts && *facts ? (*facts)->name : "?"});
  }
}

// Those at a closed gate have nothing to do but exit.
bool reap_all(const Clock& clock) {
  const BootTime until = clock.boot() + kPatience;
  while (clock.boot() < until) {
    const auto reaped = os::reap_any();
    if (!reaped) return false;
    if (std::holds_alternative<os::NoChildren>(*reaped)) return true;
    if (std::holds_alternative<os::NoneEnded>(*reaped)) os::pause(std::chrono::milliseconds(1));
  }
  return false;
}

// Memory has run out, in all likelihood, so nothing here allocates. Own children suffice: whose
// parent dies becomes one.
bool end_all(const Clock& clock) noexcept {
  const BootTime until = clock.boot() + kPatience;
  while (clock.boot() < until) {
    try {
      const auto reaped = os::reap_any();
      if (reaped && std::holds_alternative<os::NoChildren>(*reaped)) return true;
      if (reaped && std::holds_alternative<os::ChildEnd>(*reaped)) continue;
      const auto sent = os::signal_own_children(os::kSignalKill);
      static_cast<void>(sent);  // the proof is ECHILD, not this
    } catch (...) {  // NOLINT(bugprone-empty-catch): it is tried again, and the clock bounds it
    }
  }
  return false;
}

}  // namespace holdfast::supervise
