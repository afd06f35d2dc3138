// SPDX-License-Identifier: Apache-2.0
//
// run_tree: forks the shim, passes signals on to it, takes in what the commands print, and waits
// for the report. What run.h and pipeline.h have in common; they say what it promises.
//
// Signals: on return, also of an Error, the mask is as the caller had it.
// Errors: nothing was started. Later trouble is part of the outcome.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "os/process/pid.h"
#include "os/signal/signals.h"
#include "os/sys/handle.h"
#include "supervise/caller_hooks.h"
#include "supervise/output.h"
#include "supervise/report.h"
#include "supervise/tree_request.h"

namespace holdfast::supervise {

struct TreeOutcome {
  TreeReport report;
  // The last signal that came here to have the work end (os::asks_to_end), whoever made it. The
  // commands have got it, too; what they make of it is theirs.
  std::optional<int> asked_to_end;
  // Where the output was taken:
  std::uint64_t bytes = 0;
  bool output_ended = false;          // all of it was taken, and nobody can add to it
  std::optional<Error> output_error;  // the taker's own, or of reading; the tree was ended then
};

// `take` gets the output where the request says StdoutTo::kHandle. `caller_hooks`, for one command,
// may be null; its Error in born() is returned, and nothing ran.
Result<TreeOutcome> run_tree(const Clock& clock, const TreeRequest& request,
                             const TakeOutput& take = {}, CallerHooks* caller_hooks = nullptr);

// The same for a supervisor that does more than run one tree (run/): `work` is done in a process
// that was forked for it, has no children, holds all signals back, and ends with it. `news` is one
// end of a pipe into which it writes kNewsBorn when the command exists, kNewsRuns when its program
// runs, and kNewsOver when nothing of it is left. Between the first and the last, and only then,
// the terminal's own signals reach the command by themselves.
using SupervisorWork = std::function<TreeReport(const os::SignalState& signals, os::Handle news)>;

inline constexpr char kNewsBorn = 'b';
inline constexpr char kNewsRuns = 'r';
inline constexpr char kNewsOver = 'o';

enum class Await : std::uint8_t {
  kReport,  // to the end
  kNews,    // until the news, or a report that comes before it
};

struct Supervised {
  std::optional<TreeReport> report;  // none: the news came, and the supervisor goes on by itself
  os::Pid supervisor{};
  std::optional<int> asked_to_end;  // as in TreeOutcome
};

// What the caller does in his own process meanwhile, such as taking keys to a terminal. It must not
// wait.
class CallerIo {
 public:
  virtual ~CallerIo() = default;
  // The supervisor has been made.
  virtual void begin() = 0;
  virtual void add_handles(std::vector<const os::Handle*>& readable,
                           std::vector<const os::Handle*>& writable) const = 0;
  // After each wait, whatever ended it.
  virtual void round() = 0;
};

// `caller_io` may be null.
Result<Supervised> run_supervisor(const Clock& clock, Await await, const SupervisorWork& work,
                                  CallerIo* caller_io = nullptr);

}  // namespace holdfast::supervise
