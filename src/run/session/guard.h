// SPDX-License-Identifier: Apache-2.0
//
// RunGuard: somebody else who has a say in whether a named run may begin, and is told how it ended.
//
// All of it happens in the supervisor's process, under the lock of the session's name: what
// admit() decides cannot be overtaken by another run of the same name, and whoever started the
// supervisor may be dead by then. The order, beside the steps of session_run.h:
//
//   the lock of the name; the last run is proven over
//   admit()        an Error: nothing is started, nothing was written for this run
//   `reserved`, durable; withdrawn() if it cannot be written: nothing was started
//   reserved()     from here on the run leaves a trace (session/record/view.h)
//   …              the command, its end, the verification, the final record
//   finished()     then the name goes back
//
// Death between any two of them leaves the record of the session, which tells what the guard
// missed.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "format/session/session_record.h"

namespace holdfast::run {

// Is the supervisor's process a copy of the caller's, by fork? Then what the caller holds is open
// in it a second time, and a guard has to let go of it; on Windows it is the caller's own process,
// and must not.
bool guards_are_in_a_copy();

class RunGuard {
 public:
  virtual ~RunGuard() = default;
  // `last`: of the newest run of the name, which is over; nullopt: there was none.
  virtual Result<> admit(const std::optional<SessionRecord>& last) = 0;
  virtual void withdrawn() {}
  virtual void reserved(const SessionRecord& record) = 0;
  virtual void finished(const SessionRecord& record) = 0;

  // What Services::guard_of makes the same guard of in another process. Windows: the supervisor of
  // a detached run is another start of the program. Empty: it is a part of the caller's memory and
  // cannot be told; a detached run under it is refused there (spawn_supervisor.h).
  [[nodiscard]] virtual std::string note() const { return {}; }
};

// Errors: kCannotTell where the note cannot be understood, and those of opening what it names.
using GuardOf = std::function<Result<std::unique_ptr<RunGuard>>(std::string_view note)>;

}  // namespace holdfast::run
