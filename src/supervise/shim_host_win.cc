// SPDX-License-Identifier: Apache-2.0
//
// The shim as a thread. It has ends of its own of every pipe, as if it were another process, and
// shares nothing else with the front end but the request and the clock, which nobody changes. Ends
// that the front end drops hang up here, and the other way round.
#include <thread>

#include "os/file/file.h"
#include "os/process/pidfd.h"
#include "os/spawn/inherited.h"
#include "supervise/report_bytes.h"
#include "supervise/shim.h"
#include "supervise/shim_host.h"

namespace holdfast::supervise {
namespace {

class Thread final : public ShimHost::Running {
 public:
  explicit Thread(std::function<int()> work)
      : thread_([this, doing = std::move(work)] { code_ = doing(); }) {}
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;
  // It ends by itself once its front end is gone, or when its tree has ended: what it works on is
  // the caller's, so it is waited for.
  ~Thread() override {
    if (thread_.joinable()) thread_.join();
  }
  Result<os::ChildEnd> wait() override {
    if (thread_.joinable()) thread_.join();
    return os::ChildEnd{.pid = os::own_pid(), .how = os::ChildEnd::How::kExited, .value = code_};
  }

 private:
  int code_ = kNoReport;
  std::thread thread_;
};

ShimHost host_of(std::function<int()> work) {
  return {os::OwnChild{.pid = os::own_pid(), .pidfd = {}},
          std::make_unique<Thread>(std::move(work))};
}

// An exception must not end the process and leave a report unwritten; what was made of the tree
// goes with its job.
template <typename Work>
int shim_host_report_of(os::Handle report, const Clock& clock, const Work& work) {
  os::File report_file(std::move(report), "report");
  try {
    const auto sent = report_file.write_all(to_bytes(work()));
    return sent ? 0 : kNoReport;
  } catch (...) {
    return end_all(clock) ? kEndedInNeed : kNoReport;
  }
}

// std::function wants what it holds to be copyable.
template <typename T>
std::shared_ptr<T> share(T value) {
  return std::make_shared<T>(std::move(value));
}

}  // namespace

Result<ShimHost> host_shim(const ShimRequest& order, const os::SignalState& signals,
                           FrontEnds& ends) {
  os::Pipe report = HF_TRY(os::make_pipe());
  ShimEnds shim;
  if (order.request.stdout_to == os::StdoutTo::kHandle) {
    os::Pipe output = HF_TRY(os::make_pipe());
    shim.output_watch = HF_TRY(os::copy_handle(output.read_end.get()));
    shim.output = std::move(output.write_end);
    ends.output = std::move(output.read_end);
  }
  if (!order.request.outlives_front_end) {
    os::Pipe wanted = HF_TRY(os::make_pipe());
    shim.wanted = std::move(wanted.read_end);
    ends.wanted = std::move(wanted.write_end);
  }
  if (order.attended) {
    os::Pipe born = HF_TRY(os::make_pipe());
    os::Pipe orders = HF_TRY(os::make_pipe());
    shim.born = std::move(born.write_end);
    shim.orders = std::move(orders.read_end);
    ends.born = std::move(born.read_end);
    ends.orders = std::move(orders.write_end);
  }
  ends.report = std::move(report.read_end);
  const auto its_ends = share(std::move(shim));
  const auto its_report = share(std::move(report.write_end));
  return host_of([&clock = order.clock, &request = order.request, signals, its_ends, its_report] {
    return shim_host_report_of(std::move(*its_report), clock, [&] {
      return Shim(clock, request, signals, std::move(*its_ends)).run();
    });
  });
}

Result<ShimHost> host_supervisor(const Clock& clock, const SupervisorWork& work,
                                 const os::SignalState& signals, SupervisorPipes& pipes) {
  const auto its_report = share(std::move(pipes.report.write_end));
  const auto its_news = share(std::move(pipes.news.write_end));
  return host_of([&clock, &work, signals, its_report, its_news] {
    return shim_host_report_of(std::move(*its_report), clock,
                               [&] { return work(signals, std::move(*its_news)); });
  });
}

}  // namespace holdfast::supervise
