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
#include "os/child.h"
#include "os/spawn.h"

namespace holdfast::supervise {

// How the tree was held together and reached.
enum class Containment : std::uint8_t {
  kSubreaper,          // every descendant through a pidfd, proof by ECHILD
  kSubreaperByNumber,  // no pidfds here: own children by number, level by level, same proof
};
std::string_view name(Containment containment);

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
  bool deadline_fired = false;
  std::uint32_t terminated = 0;       // processes that were sent TERM
  std::uint32_t killed = 0;           // processes that were sent KILL
  bool empty = false;                 // proven: nothing of the tree is left
  bool left_alone = false;            // what the command left behind was not looked for
  std::vector<Survivor> survivors;    // where it is not: who was seen, as far as one can see
  std::uint32_t survivors_total = 0;  // more than are named where there are very many
  bool supervisor_gone = false;       // it ended without a report: nothing above is known
  std::optional<Error> fault;         // of holdfast itself
};

struct TreeReport : TreeFacts {
  std::vector<CommandFacts> commands;  // in the order of the request, or none where not started
  // Where the output is taken: all commands had ended, but not all of the tree, and somebody held
  // what the last one prints to for longer than kLetGo.
  bool output_cut = false;
};

struct RunReport : TreeFacts, CommandFacts {};

}  // namespace holdfast::supervise
