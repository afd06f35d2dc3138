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

#include "os/file.h"
#include "os/pipe.h"
#include "os/poll.h"
#include "supervise/report_bytes.h"
#include "supervise/shim.h"

namespace holdfast::supervise {
namespace {

constexpr std::size_t kMaxReport = 8192;

// How the shim exits where there is no report.
constexpr int kNoReport = 1;
constexpr int kEndedInNeed = 2;  // out of memory, but the tree is ended and proven empty

// Signals are held back as long as this lives.
class HeldSignals {
 public:
  static Result<HeldSignals> hold() { return HeldSignals(HF_TRY(os::block_signals())); }
  HeldSignals(HeldSignals&& other) noexcept
      : state_(other.state_), held_(std::exchange(other.held_, false)) {}
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  HeldSignals& operator=(HeldSignals&&) = delete;
  ~HeldSignals() {
    if (!held_) return;
    const auto restored = os::restore_signals(state_);
    static_cast<void>(restored);  // then what is still to be said cannot be interrupted
  }
  [[nodiscard]] const os::SignalState& state() const { return state_; }

 private:
  explicit HeldSignals(const os::SignalState& state) : state_(state) {}
  os::SignalState state_;
  bool held_ = true;
};

// Between the two processes, made before the fork; each side drops the other's ends, but for the
// reading end of the output, which the shim watches and never reads.
struct Pipes {
  os::Pipe report;
  os::Pipe output;  // empty where nobody takes it
  os::Pipe wanted;  // empty where the tree outlives the front end

  static Result<Pipes> make(const TreeRequest& request) {
    Pipes pipes;
    pipes.report = HF_TRY(os::make_pipe());
    if (request.stdout_to == os::StdoutTo::kHandle) pipes.output = HF_TRY(os::make_pipe());
    if (!request.outlives_front_end) pipes.wanted = HF_TRY(os::make_pipe());
    return pipes;
  }
};

[[noreturn]] void be_the_shim(const Clock& clock, const TreeRequest& request,
                              const os::SignalState& signals, Pipes pipes) {
  pipes.report.read_end.reset();
  pipes.wanted.write_end.reset();
  os::File report_file(std::move(pipes.report.write_end), "report");
  Shim shim(clock, request, signals,
            {.output = std::move(pipes.output.write_end),
             .output_watch = std::move(pipes.output.read_end),
             .wanted = std::move(pipes.wanted.read_end)});
  // The one place below main that catches: an exception must not carry the shim up into the front
  // end's code and leave the tree behind.
  try {
    const TreeReport report = shim.run();
    // Without a front end nobody reads it; the work is done all the same.
    const auto sent = report_file.write_all(to_bytes(report));
    os::exit_process(sent ? 0 : kNoReport);
  } catch (...) {
    os::exit_process(shim.end_in_need() ? kEndedInNeed : kNoReport);
  }
}

class FrontEnd {
 public:
  FrontEnd(const Clock& clock, os::SignalInbox inbox, os::OwnChild shim, Pipes pipes,
           const TakeOutput& take)
      : clock_(clock),
        inbox_(std::move(inbox)),
        shim_(std::move(shim)),
        report_(std::move(pipes.report.read_end)),
        wanted_(std::move(pipes.wanted.write_end)),
        output_(std::move(pipes.output.read_end), take) {}

  TreeOutcome run() {
    attend();
    TreeOutcome outcome;
    outcome.report = take_report();
    if (outcome.report.empty) output_.take_rest();
    outcome.asked_to_end = asked_to_end_;
    outcome.bytes = output_.bytes();
    outcome.output_ended = output_.ended();
    outcome.output_error = output_.error();
    return outcome;
  }

 private:
  // Until the shim has reported or ended. Where waiting itself fails, reading the report blocks
  // instead, and only the passing on of signals is lost, and the output.
  void attend() {
    for (;;) {
      const auto waited =
          os::wait_readable({&inbox_.handle(), &report_, &output_.handle()}, std::nullopt);
      if (!waited) return give_up(waited.error());
      pass_signals_on();
      take_output();
      const auto reported = os::is_readable(report_);
      if (!reported) return give_up(reported.error());
      if (*reported) return;
    }
  }

  void pass_signals_on() {
    for (;;) {
      const auto signal = inbox_.next();
      if (!signal || !*signal) return;
      if (os::asks_to_end((*signal)->number)) asked_to_end_ = (*signal)->number;
      const auto sent = pass_on(**signal);
      static_cast<void>(sent);  // gone: its report says the rest
    }
  }

  // What the terminal sends, the command has got already. Somebody who stops the shim, the command
  // itself perhaps, would switch the deadline off: it is woken at once.
  Result<os::Sent> pass_on(const os::ArrivedSignal& signal) {
    switch (signal.origin) {
      case os::Origin::kSender:
      case os::Origin::kKernel:
        return shim_.signal(signal.number);
      case os::Origin::kChild:
        if (HF_TRY(os::take_stop(shim_.pid))) return shim_.signal(os::continue_signal());
        return os::Sent::kGone;
      case os::Origin::kTerminal:
        return os::Sent::kGone;
    }
    __builtin_unreachable();
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
    const auto bytes = os::File(std::move(report_), "report").read_all(kMaxReport);
    const auto shim_end = os::reap_child(shim_.pid);
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
  os::SignalInbox inbox_;
  os::OwnChild shim_;
  os::Handle report_;
  os::Handle wanted_;
  Output output_;
  std::optional<int> asked_to_end_;
};

}  // namespace

Result<TreeOutcome> run_tree(const Clock& clock, const TreeRequest& request,
                             const TakeOutput& take) {
  const HeldSignals signals = HF_TRY(HeldSignals::hold());
  os::SignalInbox inbox = HF_TRY(os::SignalInbox::open());
  Pipes pipes = HF_TRY(Pipes::make(request));
  os::Forked forked = HF_TRY(os::fork_process());
  if (forked.in_child) be_the_shim(clock, request, signals.state(), std::move(pipes));
  pipes.report.write_end.reset();
  pipes.output.write_end.reset();
  pipes.wanted.read_end.reset();
  // Only now: the shim was born with them blocked, so no Ctrl-Z can stop it.
  const auto allowed = os::allow_stop_signals();
  static_cast<void>(allowed);  // without it Ctrl-Z stops the command alone; the run goes on
  return FrontEnd(clock, std::move(inbox), std::move(forked.child), std::move(pipes), take).run();
}

}  // namespace holdfast::supervise
