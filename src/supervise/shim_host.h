// SPDX-License-Identifier: Apache-2.0
//
// ShimHost: where a shim, or a supervisor that does more, does its work beside the front end; for
// front_end.cc, and for who starts a supervisor in a way of its own.
//
// On Linux it is a fork of this process: a killed front end does not take it along. On Windows
// there is no fork, and no need of a process without children: it is a thread of this process, and
// a killed front end does take it along. Then the system closes the job object of the tree, which
// ends all of it (tree_group.h). What is to outlive its caller on Windows is another start of this
// program (hosted_program.h).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "os/signal/signals.h"
#include "os/spawn/child.h"
#include "os/stream/pipe.h"
#include "os/sys/handle.h"
#include "supervise/front_end.h"
#include "supervise/tree_request.h"

namespace holdfast::supervise {

// How a shim that has no report to send ends.
inline constexpr int kNoReport = 1;
inline constexpr int kEndedInNeed = 2;  // out of memory, but the tree is ended and proven empty

// The front end's ends of the pipes between the two; empty ones where they are not needed.
struct FrontEnds {
  os::Handle report;
  os::Handle output;  // where somebody takes it
  os::Handle wanted;  // where the tree does not outlive the front end
  os::Handle born;    // these two where somebody attends
  os::Handle orders;
};

class ShimHost {
 public:
  // What is known of the way that it is hosted; each platform has its own.
  class Running {
   public:
    virtual ~Running() = default;
    // How it ended; waits for it.
    virtual Result<os::ChildEnd> wait() = 0;
  };

  ShimHost(os::OwnChild child, std::unique_ptr<Running> running)
      : child_(std::make_unique<os::OwnChild>(std::move(child))), running_(std::move(running)) {}

  // The process that hosts it; on Windows this very one where it is a thread, and then nobody needs
  // to pass a signal on: it has an inbox of its own. Does not move with the host.
  [[nodiscard]] const os::OwnChild& child() const { return *child_; }
  [[nodiscard]] Result<os::ChildEnd> wait() { return running_->wait(); }

 private:
  std::unique_ptr<os::OwnChild> child_;
  std::unique_ptr<Running> running_;
};

struct ShimRequest {
  const Clock& clock;
  const TreeRequest& request;  // these two outlive the host's wait()
  bool attended = false;
};

// Fills `ends`. After an Error nothing was started.
Result<ShimHost> host_shim(const ShimRequest& order, const os::SignalState& signals,
                           FrontEnds& ends);

// From the supervisor to its front end.
struct SupervisorPipes {
  os::Pipe report;
  os::Pipe news;
};

// Leaves the reading ends in `pipes`, and those alone.
Result<ShimHost> host_supervisor(const Clock& clock, const SupervisorWork& work,
                                 const os::SignalState& signals, SupervisorPipes& pipes);

using MakeHost =
    std::function<Result<ShimHost>(const os::SignalState& signals, SupervisorPipes& pipes)>;

// run_supervisor (front_end.h) for a host that is made in another way.
Result<Supervised> run_hosted(const Clock& clock, Await await, const MakeHost& make,
                              CallerIo* caller_io = nullptr);

}  // namespace holdfast::supervise
