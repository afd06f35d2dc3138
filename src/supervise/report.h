// SPDX-License-Identifier: Apache-2.0
//
// All that is known about a tree when it is over: TreeReport, with any number of commands, is what
// the shim says; RunReport is the same for `run`, which has one. Facts only; what they mean for an
// exit code is in verdict.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "format/session/session_record.h"
#include "os/spawn/child.h"
#include "os/spawn/spawn.h"

namespace holdfast::supervise {

// How the tree was held together and reached.
enum class Containment : std::uint8_t {
  kSubreaper,          // every descendant through a pidfd, proof by ECHILD
  kSubreaperByNumber,  // no pidfds here: own children by number, level by level, same proof
  kCgroup,             // born in a control group, which is killed at once; proof by both
  kPidNamespace,       // below the init of a pid namespace, whose end is the end of everybody in it
  kJob,                // Windows: born in a job object, which is killed at once; proof by its count
};
std::string_view name(Containment containment);

// Why a tree was ended before its commands had ended by themselves.
enum class EndedBy : std::uint8_t {
  kNobody,
  kDeadline,  // the time of the whole run
  kIdle,      // nothing was printed for too long
  kStop,      // somebody asked for it by name
  kLost,      // a lease that it ran under, or nobody wants it any more
  kFault,     // holdfast's own means failed
  kBudget,    // the time that the whole program was given (base/budget.h)
  kOwner,     // the process that it was bound to has ended
};
// "deadline", "idle", "stopped", "lost", "fault", "budget", "owner-gone"; "" of kNobody
std::string_view name(EndedBy by);

// What a command that looks at the outcome had to say.
enum class Verified : std::uint8_t { kConfirmed, kRefuted, kCannotTell };

struct Survivor {
  os::Pid pid{};
  std::string name;
};

// Of one command.
struct CommandFacts {
  std::optional<os::Pid> pid;  // none where not even a child could be made
  std::optional<os::StartFailure> start_failure;
  std::optional<os::ChildEnd> end;
};

// Of the whole tree, whatever the number of commands at its root.
struct TreeFacts {
  std::optional<WallTime> started;  // the gates were opened
  WallTime ended{};
  Containment containment = Containment::kSubreaper;
  bool deadline_fired = false;  // or the idle limit, or the budget
  EndedBy ended_by = EndedBy::kNobody;
  std::optional<int> asked{};  // the last signal that asks to end and that the commands were sent
  std::optional<Verified> verified;       // nothing was asked, or it did not come to that
  std::uint32_t terminated = 0;           // processes that were sent TERM
  std::uint32_t killed = 0;               // processes that were sent KILL
  bool empty = false;                     // proven: nothing of the tree is left
  bool left_alone = false;                // what the command left behind was not looked for
  std::vector<Survivor> survivors;        // where it is not: who was seen, as far as one can see
  std::uint32_t survivors_total = 0;      // more than are named where there are very many
  bool supervisor_gone = false;           // it ended without a report: nothing above is known
  std::optional<Error> fault;             // of holdfast itself
  std::optional<SessionCgroup> cgroup{};  // of kCgroup; not part of the bytes (report_bytes.h)
  std::vector<std::string> limits_by{};   // how each limit is enforced (proc/tree/limits.h)
  std::uint32_t oom_killed = 0;           // processes that the kernel killed at the memory limit
};

struct TreeReport : TreeFacts {
  std::vector<CommandFacts> commands;  // in the order of the request, or none where not started
  // Where the output is taken: all commands had ended, but not all of the tree, and somebody held
  // what the last one prints to for longer than kLetGo.
  bool output_cut = false;
};

struct RunReport : TreeFacts, CommandFacts {};

}  // namespace holdfast::supervise
