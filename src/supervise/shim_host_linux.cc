// SPDX-License-Identifier: Apache-2.0
#include "os/file/file.h"
#include "os/stream/pipe.h"
#include "supervise/report_bytes.h"
#include "supervise/shim.h"
#include "supervise/shim_host.h"

namespace holdfast::supervise {
namespace {

// Between the two processes, made before the fork; each side drops the other's ends, but for the
// reading end of the output, which the shim watches and never reads.
struct Pipes {
  os::Pipe report;
  os::Pipe output;  // empty where nobody takes it
  os::Pipe wanted;  // empty where the tree outlives the front end
  os::Pipe born;    // these two empty where nobody attends
  os::Pipe orders;

  static Result<Pipes> make(const TreeRequest& request, bool attended) {
    Pipes pipes;
    pipes.report = HF_TRY(os::make_pipe());
    if (request.stdout_to == os::StdoutTo::kHandle) pipes.output = HF_TRY(os::make_pipe());
    if (!request.outlives_front_end) pipes.wanted = HF_TRY(os::make_pipe());
    if (attended) pipes.born = HF_TRY(os::make_pipe());
    if (attended) pipes.orders = HF_TRY(os::make_pipe());
    return pipes;
  }
};

class Fork final : public ShimHost::Running {
 public:
  explicit Fork(os::Pid pid) : pid_(pid) {}
  Result<os::ChildEnd> wait() override { return os::reap_child(pid_); }

 private:
  os::Pid pid_;
};

ShimHost host_of(os::OwnChild child) {
  auto fork = std::make_unique<Fork>(child.pid);
  return {std::move(child), std::move(fork)};
}

[[noreturn]] void be_the_shim(const Clock& clock, const TreeRequest& request,
                              const os::SignalState& signals, Pipes pipes) {
  pipes.report.read_end.reset();
  pipes.wanted.write_end.reset();
  pipes.born.read_end.reset();
  pipes.orders.write_end.reset();
  for (const os::NativeHandle handle : request.not_for_shim) os::HandleTraits::close(handle);
  os::File report_file(std::move(pipes.report.write_end), "report");
  Shim shim(clock, request, signals,
            {.output = std::move(pipes.output.write_end),
             .output_watch = std::move(pipes.output.read_end),
             .wanted = std::move(pipes.wanted.read_end),
             .born = std::move(pipes.born.write_end),
             .orders = std::move(pipes.orders.read_end)});
  // The one place below main that catches: an exception must not carry the shim up into the front
  // end's code and leave the tree behind.
  try {
    const TreeReport report = shim.run();
    // Without a front end nobody reads it; the work is done all the same.
    const auto sent = report_file.write_all(to_bytes(report));
    os::exit_process(sent ? 0 : kNoReport);
  } catch (...) {
    os::exit_process(end_all(clock) ? kEndedInNeed : kNoReport);
  }
}

[[noreturn]] void be_the_supervisor(const Clock& clock, const SupervisorWork& work,
                                    const os::SignalState& signals, SupervisorPipes pipes) {
  pipes.report.read_end.reset();
  pipes.news.read_end.reset();
  os::File report_file(std::move(pipes.report.write_end), "report");
  try {
    const TreeReport done = work(signals, std::move(pipes.news.write_end));
    const auto sent = report_file.write_all(to_bytes(done));
    os::exit_process(sent ? 0 : kNoReport);
  } catch (...) {
    os::exit_process(end_all(clock) ? kEndedInNeed : kNoReport);
  }
}

}  // namespace

Result<ShimHost> host_shim(const ShimRequest& order, const os::SignalState& signals,
                           FrontEnds& ends) {
  Pipes pipes = HF_TRY(Pipes::make(order.request, order.attended));
  os::Forked forked = HF_TRY(os::fork_process());
  if (forked.in_child) be_the_shim(order.clock, order.request, signals, std::move(pipes));
  ends.report = std::move(pipes.report.read_end);
  ends.output = std::move(pipes.output.read_end);
  ends.wanted = std::move(pipes.wanted.write_end);
  ends.born = std::move(pipes.born.read_end);
  ends.orders = std::move(pipes.orders.write_end);
  return host_of(std::move(forked.child));
}

Result<ShimHost> host_supervisor(const Clock& clock, const SupervisorWork& work,
                                 const os::SignalState& signals, SupervisorPipes& pipes) {
  os::Forked forked = HF_TRY(os::fork_process());
  if (forked.in_child) be_the_supervisor(clock, work, signals, std::move(pipes));
  pipes.report.write_end.reset();
  pipes.news.write_end.reset();
  return host_of(std::move(forked.child));
}

}  // namespace holdfast::supervise
