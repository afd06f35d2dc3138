// SPDX-License-Identifier: Apache-2.0
#include "run/session/side_command.h"

#include "base/exit_code.h"
#include "base/path_text.h"
#include "os/stream/pipe.h"
#include "run/lock/held_locks.h"
#include "run/session/relay.h"
#include "supervise/shim.h"
#include "supervise/supervisor_hooks.h"

namespace holdfast::run {
namespace {

constexpr Duration kGrace = std::chrono::seconds(5);

class Listener final : public supervise::SupervisorHooks {
 public:
  Listener(os::Pipe pipe, std::optional<os::StreamWriter> to, LogFile* log,
           session::Control* control)
      : write_end_(std::move(pipe.write_end)),
        relay_(std::move(pipe.read_end), std::move(to), log),
        control_(control) {}

  Result<> born(const os::OwnChild& /*command*/, const supervise::TreeFacts& /*facts*/) override {
    write_end_.reset();
    return {};
  }
  void started(WallTime /*at*/) override {}
  void running() override {}
  void add_handles(std::vector<const os::Handle*>& readable,
                   std::vector<const os::Handle*>& writable) const override {
    relay_.add_handles(readable, writable);
    if (control_ != nullptr) readable.push_back(&control_->handle());
  }
  std::optional<supervise::EndOrder> round() override {
    relay_.round();
    if (control_ == nullptr) return std::nullopt;
    const auto asked = control_->read_requests();
    if (!asked) control_ = nullptr;  // it can no longer be asked
    if (!asked || asked->requests.empty()) return std::nullopt;
    return supervise::EndOrder{.grace = asked->requests.front().grace};
  }
  void asked_to_end(const os::ArrivedSignal& /*signal*/) override {}
  void ending(supervise::EndedBy /*by*/) override {}

  [[nodiscard]] os::NativeHandle write_end() const { return write_end_.get(); }
  void take_rest() { relay_.take_rest(); }

 private:
  os::Handle write_end_;
  Relay relay_;
  session::Control* control_;
};

}  // namespace

supervise::TreeReport run_side_command(const Clock& clock, const SideCommand& command,
                                       const os::SignalState& signals, Ground ground,
                                       LogFile* log) {
  supervise::TreeReport report;
  auto pipe = os::make_pipe();
  if (!pipe) {
    report.fault = std::move(pipe).error();
    return report;
  }
  std::optional<os::StreamWriter> to;
  if (ground == Ground::kFore) {
    if (auto opened = os::StreamWriter::open(os::Stream::kErr)) to.emplace(std::move(*opened));
  }
  Listener listener(std::move(*pipe), std::move(to), log, command.control);
  supervise::TreeRequest request;
  request.commands = {shell_words(command.line)};
  request.stdin_from = os::StdinFrom::kNothing;
  request.stdout_to = os::StdoutTo::kHandle;
  request.output = listener.write_end();
  request.stderr_to = os::StderrTo::kHandle;
  request.errors = listener.write_end();
  request.environment = command.environment;
  request.environment_without = outer_lock_variables(ground);
  if (!command.directory.empty()) request.directory = command.directory;
  request.timeout = command.timeout;
  request.grace = kGrace;
  {
    supervise::Shim shim(clock, request, signals, {}, &listener);
    report = shim.run();
  }
  listener.take_rest();
  return report;
}

std::string describe_end(const supervise::TreeReport& report) {
  if (report.deadline_fired) return "took too long";
  if (report.ended_by == supervise::EndedBy::kStop) return "was stopped";
  if (report.asked) return "was asked to end";
  if (report.commands.empty() || !report.commands.front().end) return "could not be run";
  const os::ChildEnd& end = *report.commands.front().end;
  if (end.how == os::ChildEnd::How::kSignalled)
    return "died of signal " + os::signal_name(end.value);
  return "exited with " + std::to_string(end.value);
}

// 69, what a shell or a wrapper says of its own troubles, a signal, a time-out, processes that are
// left, and whatever one says that was asked to end: nobody knows. Any other code is a no.
supervise::Verified verdict_of(const supervise::TreeReport& report) {
  using supervise::Verified;
  const bool ended = report.deadline_fired || report.ended_by != supervise::EndedBy::kNobody ||
                     report.asked.has_value();
  if (report.fault || ended || !report.empty || report.commands.empty())
    return Verified::kCannotTell;
  const auto& end = report.commands.front().end;
  if (!end || end->how != os::ChildEnd::How::kExited) return Verified::kCannotTell;
  if (end->value == 0) return Verified::kConfirmed;
  const bool of_a_wrapper = end->value >= to_int(ExitCode::kWrapperFailed);
  const bool cannot_tell = end->value == to_int(ExitCode::kCannotTell) || of_a_wrapper;
  return cannot_tell ? Verified::kCannotTell : Verified::kRefuted;
}

}  // namespace holdfast::run
