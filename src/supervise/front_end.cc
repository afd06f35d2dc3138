// SPDX-License-Identifier: Apache-2.0
//
// The front end holds no state that matters: if it is stopped, the shim goes on; if it is killed,
// the shim goes on and its report finds no reader. It learns of the shim's end by the end of the
// report pipe, never by reaping at large, because its other children are not ours.
//
// Where the output is taken, two ways lead into waiting for ever, and both are closed. A tree that
// waits for room in the pipe never ends, so nothing here waits for the report while somebody could
// still print: the output is read until the report is there, or it is given up and the tree ended.
// And the pipe of a tree that is gone need not end, if a stranger was handed it: after the report
// only what is there is read, which is all that the tree has written.
#include "supervise/front_end.h"

#include <array>
#include <span>

#include "os/file/file.h"
#include "os/stream/pipe.h"
#include "os/watch/boot_timer.h"
#include "os/watch/poll.h"
#include "supervise/pass_signals.h"
#include "supervise/report_bytes.h"
#include "supervise/shim.h"
#include "supervise/shim_host.h"

namespace holdfast::supervise {
namespace {

constexpr std::size_t kMaxReport = 8192;

class FrontEnd {
 public:
  FrontEnd(const Clock& clock, os::SignalInbox inbox, ShimHost shim, FrontEnds pipes,
           const TakeOutput& take, CallerHooks* caller_hooks, os::Handle news = {},
           Await await = Await::kReport, CallerIo* caller_io = nullptr)
      : clock_(clock),
        shim_(std::move(shim)),
        signals_(std::move(inbox), shim_.child(), Passed::kToSupervisor),
        report_(std::move(pipes.report)),
        wanted_(std::move(pipes.wanted)),
        born_(std::move(pipes.born)),
        orders_(std::in_place, std::move(pipes.orders), "the supervisor"),
        output_(std::move(pipes.output), take),
        caller_hooks_(caller_hooks),
        news_(std::move(news)),
        await_(await),
        caller_io_(caller_io) {
    if (news_.valid()) signals_.set_command_there(false);
  }

  // Lets the command in once the caller_hooks knows it.
  Result<> let_in() {
    if (caller_hooks_ == nullptr) return {};
    timer_ = HF_TRY(os::BootTimer::create());
    os::Pid command{};
    const std::span<char> bytes(reinterpret_cast<char*>(&command), sizeof(command));
    // One write of one number: all of it, or the supervisor ended and its report says why.
    if (HF_TRY(os::read_pipe(born_, bytes)) != sizeof(command)) return {};
    HF_TRY(caller_hooks_->born({.command = command, .supervisor = shim_.child().pid}));
    HF_TRY(set_timer());  // from here on nothing can fail but the order itself
    HF_TRY(order(kOrderGo));
    caller_hooks_->started();
    return {};
  }

  // Nothing ran: the supervisor goes when it hears no order.
  void abandon() {
    orders_.reset();
    const auto reaped = shim_.wait();
    static_cast<void>(reaped);
  }

  TreeOutcome run() {
    attend();
    TreeOutcome outcome;
    outcome.report = take_report();
    if (outcome.report.empty) output_.take_rest();
    outcome.asked_to_end = signals_.asked_to_end();
    outcome.bytes = output_.bytes();
    outcome.output_ended = output_.ended();
    outcome.output_error = output_.error();
    return outcome;
  }

  [[nodiscard]] std::optional<int> asked_to_end() const { return signals_.asked_to_end(); }

  // nullopt: the news came first.
  std::optional<TreeReport> wait_for_news() {
    attend();
    if (told_) return std::nullopt;
    return take_report();
  }

 private:
  // Until the shim has reported or ended, or has news. Where waiting itself fails, reading the
  // report blocks instead, and only the passing on of signals is lost, and the output.
  void attend() {
    for (;;) {
      std::vector<const os::Handle*> handles{&signals_.handle(), &report_, &output_.handle(),
                                             timer_handle(), &news_};
      std::vector<const os::Handle*> writable;
      if (caller_io_ != nullptr) caller_io_->add_handles(handles, writable);
      const auto waited = os::wait_ready(handles, writable, std::nullopt);
      if (!waited) return give_up(waited.error());
      if (caller_io_ != nullptr) caller_io_->round();
      take_news();  // first: whose business a signal of the terminal is depends on it
      signals_.pass_on();
      take_output();
      tick();
      const auto reported = os::is_readable(report_);
      if (!reported) return give_up(reported.error());
      if (*reported) return;
      if (told_) return;
    }
  }

  // The end of the pipe says that the report is to come.
  void take_news() {
    while (news_.valid() && os::is_readable(news_).value_or(true)) {
      std::array<char, 1> byte{};
      if (os::read_pipe(news_, byte).value_or(0) != 1) return news_.reset();
      signals_.set_command_there(byte[0] != kNewsOver);
      told_ = told_ || (await_ == Await::kNews && byte[0] == kNewsRuns);
    }
  }

  [[nodiscard]] const os::Handle* timer_handle() const {
    return timer_ ? &timer_->handle() : nullptr;
  }

  Result<> set_timer() { return timer_->set(caller_hooks_->next_tick()); }

  Result<> order(char word) { return orders_->write_all({&word, 1}); }

  // A timer that cannot be set would let a lease run out unnoticed: the tree is ended instead.
  void tick() {
    if (caller_hooks_ == nullptr) return;
    const auto due = caller_hooks_->next_tick();
    if (!due || clock_.boot() < *due) return;
    const bool end = caller_hooks_->tick() == CallerHooks::Wish::kEnd;
    const auto set = set_timer();
    if (!end && set) return;
    const auto ordered = order(kOrderEnd);
    static_cast<void>(ordered);  // gone: its report says the rest
  }

  void take_output() {
    if (!output_.handle().valid()) return;
    const auto ready = os::is_readable(output_.handle());
    if (!ready) return give_up(ready.error());
    if (*ready) output_.take_some();
    if (output_.error()) wanted_.reset();
  }

  void give_up(const Error& error) {
    if (!output_.handle().valid()) return;
    output_.give_up(error);
    wanted_.reset();
  }

  TreeReport take_report() {
    const os::Handle report = std::move(report_);
    const auto bytes = os::read_pipe_to_end(report, kMaxReport);
    // A Ctrl-C reaches us and the command at once, and its end may be reported before we have
    // looked at our own. What has come by now was meant for the work: left alone, it would end
    // this process when signals are let in again, with the answer untold. Before the wait: until
    // then the number is the shim's.
    signals_.pass_on();
    const auto shim_end = shim_.wait();
    if (auto received = bytes ? from_bytes(*bytes) : std::nullopt) return std::move(*received);
    return lost(shim_end);
  }

  // How the shim went without a report.
  static std::string describe(const Result<os::ChildEnd>& shim_end) {
    if (!shim_end) return "vanished";
    if (shim_end->how == os::ChildEnd::How::kSignalled) {
      return "died of signal " + os::signal_name(shim_end->value);
    }
    return "failed and could not report";
  }

  [[nodiscard]] TreeReport lost(const Result<os::ChildEnd>& shim_end) const {
    const bool ended_in_need =
        shim_end && shim_end->how == os::ChildEnd::How::kExited && shim_end->value == kEndedInNeed;
    TreeReport report;
    report.ended = clock_.wall();
    report.supervisor_gone = true;
    report.fault =
        Error{.code = ErrorCode::kCannotTell,
              .op = "tell how the command ended",
              .cause = "supervisor-gone",
              .detail = ended_in_need ? "its supervisor ran out of memory and ended it with KILL"
                                      : "its supervisor " + describe(shim_end) +
                                            "; the command and its children may still run"};
    return report;
  }

  const Clock& clock_;
  ShimHost shim_;
  SignalPasser signals_;
  os::Handle report_;
  os::Handle wanted_;
  os::Handle born_;
  std::optional<os::File> orders_;
  Output output_;
  CallerHooks* caller_hooks_;
  os::Handle news_;  // empty where there is none to come
  Await await_;
  bool told_ = false;
  CallerIo* caller_io_;
  std::optional<os::BootTimer> timer_{};
};

}  // namespace

Result<TreeOutcome> run_tree(const Clock& clock, const TreeRequest& request, const TakeOutput& take,
                             CallerHooks* caller_hooks) {
  const HeldSignals signals = HF_TRY(HeldSignals::hold());
  os::SignalInbox inbox = HF_TRY(os::SignalInbox::open());
  FrontEnds ends;
  ShimHost shim =
      HF_TRY(host_shim({.clock = clock, .request = request, .attended = caller_hooks != nullptr},
                       signals.state(), ends));
  // Only now: the shim was born with them blocked, so no Ctrl-Z can stop it.
  const auto allowed = os::allow_stop_signals();
  static_cast<void>(allowed);  // without it Ctrl-Z stops the command alone; the run goes on
  FrontEnd front(clock, std::move(inbox), std::move(shim), std::move(ends), take, caller_hooks);
  if (auto let_in = front.let_in(); !let_in) {
    front.abandon();
    return fail(std::move(let_in).error());
  }
  return front.run();
}

Result<Supervised> run_supervisor(const Clock& clock, Await await, const SupervisorWork& work,
                                  CallerIo* caller_io) {
  return run_hosted(
      clock, await,
      [&](const os::SignalState& signals, SupervisorPipes& pipes) {
        return host_supervisor(clock, work, signals, pipes);
      },
      caller_io);
}

Result<Supervised> run_hosted(const Clock& clock, Await await, const MakeHost& make,
                              CallerIo* caller_io) {
  const HeldSignals signals = HF_TRY(HeldSignals::hold());
  os::SignalInbox inbox = HF_TRY(os::SignalInbox::open());
  SupervisorPipes pipes;
  pipes.report = HF_TRY(os::make_pipe());
  pipes.news = HF_TRY(os::make_pipe());
  ShimHost shim = HF_TRY(make(signals.state(), pipes));
  const auto allowed = os::allow_stop_signals();
  static_cast<void>(allowed);  // as above
  const TakeOutput nothing;
  Supervised supervised{.report = {}, .supervisor = shim.child().pid, .asked_to_end = {}};
  FrontEnds ends;
  ends.report = std::move(pipes.report.read_end);
  FrontEnd front(clock, std::move(inbox), std::move(shim), std::move(ends), nothing, nullptr,
                 std::move(pipes.news.read_end), await, caller_io);
  if (caller_io != nullptr) caller_io->begin();
  if (await == Await::kNews) {
    supervised.report = front.wait_for_news();
    supervised.asked_to_end = front.asked_to_end();
  } else {
    TreeOutcome outcome = front.run();
    supervised.report = std::move(outcome.report);
    supervised.asked_to_end = outcome.asked_to_end;
  }
  return supervised;
}

}  // namespace holdfast::supervise
