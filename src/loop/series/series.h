// SPDX-License-Identifier: Apache-2.0
//
// run_series: `run --iterations`: a command again and again, each time as a run of one session,
// until its goal is reached, its work stands still, it fails too often, or its number is used up
// (series_decide.h).
//
// Guarantees: one driver at a time (the lock `series:NAME`, held until its outcome was told); the
// second is told who, and begins nothing if the first one ends meanwhile. Every
// iteration that was let go is counted once, with its true end, whoever is killed when; the next
// call goes on behind it. Nothing is started while it cannot be told whether the last iteration is
// over, or whether the goal is reached. An iteration that was asked to end is not done: the next
// call runs its number again.
//
//   read the record; settle what was intended; the goal?
//   intent (number, run), durable → supervisor: still wanted? `begun` → the run, to its end
//   its end from the session's own record; the mark of the work; counted, durable
//   the goal? what follows? → pause, and the next one
//
// Death at any point: an iteration under way goes on to its end by itself, and its record tells.
//
// Errors (nothing was started then): kBusy `series-busy`, `series-under-way`; kCannotTell
// `series-orphaned`, `series-unknown`; kRefused `other-command`; those of series_store.h and of the
// start of a run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "format/session/series_record.h"
#include "loop/intent/intent.h"
#include "loop/series/series_decide.h"
#include "run/session/order.h"
#include "run/session/start.h"

namespace holdfast::loop {

// What happened, for whoever watches.
class SeriesListener {
 public:
  virtual ~SeriesListener() = default;
  virtual void say(const std::string& line) = 0;
  virtual void warn(const std::string& line) = 0;  // something needs a look
};

struct SeriesRequest {
  run::RunOrder run{};  // with a name, in the foreground; what.timeout is of one iteration
  SeriesLimits limits{};
  std::optional<std::string> until{};     // a line for the shell
  std::optional<std::string> progress{};  // a line for the shell
  Duration ask_timeout{};                 // of these two
  // Of the whole series, from its beginning on, time asleep and without a driver included.
  std::optional<Duration> timeout{};
  Duration pause{};                // between two iterations
  std::optional<Duration> wait{};  // for an iteration that a dead driver has left under way
  bool fresh = false;              // leave an unfinished one behind
};

struct SeriesOutcome {
  // Of a series that is over: its lock, until the outcome is acknowledged or nobody could be told.
  std::shared_ptr<lock::Lock> held{};
  SeriesReason reason = SeriesReason::kCannotTell;
  int code = 0;
  SeriesRecord record{};
  std::optional<run::Started> last{};  // the last iteration of this call
  std::optional<Error> why{};          // of kCannotTell
};

inline std::string series_lock_of(const std::string& name) { return "series:" + name; }

// A series that is over, of the same command, and that nobody was told of is not begun anew: its
// outcome is given again, until it is acknowledged.
Result<SeriesOutcome> run_series(const LoopServices& services, SeriesRequest request,
                                 SeriesListener& listener);

// `outcome`, of a series that is over, was told: the next call begins anew. Gives back its lock.
// Who dies before this is told again: the outcome is told at least once.
Result<> acknowledge_series(const LoopServices& services, const SeriesOutcome& outcome);

}  // namespace holdfast::loop
