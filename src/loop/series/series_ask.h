// SPDX-License-Identifier: Apache-2.0
//
// The two questions of a series: is the goal reached, and has the work moved?
//
// Each is a line for the shell, run as a supervised tree with a limit of time
// (supervise/pipeline.h) in the directory of the command and with its environment. Nothing of it is
// left afterwards.
//
// The goal: exit 0 is reached; 69, 125 and above, a signal, a time-out, or a command that could not
// be run: nobody can tell; anything else: not yet. What it prints goes to stderr.
// The mark: what the line prints, whatever it is, if it exits with 0; else nobody can tell.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/digest.h"
#include "loop/series/series_decide.h"

namespace holdfast::loop {

struct SeriesQuestion {
  std::string line{};
  Duration timeout{};
  std::string directory{};
  std::vector<std::string> environment{};  // NAME=VALUE
};

struct GoalAnswer {
  Goal goal = Goal::kCannotTell;
  std::string why{};                 // of kCannotTell
  std::optional<int> interrupted{};  // the signal that asked us to end meanwhile
};
GoalAnswer ask_goal(const Clock& clock, const SeriesQuestion& question);

struct MarkAnswer {
  std::optional<Digest> mark{};  // nullopt: cannot tell
  std::string why{};
  std::optional<int> interrupted{};
};
MarkAnswer ask_mark(const Clock& clock, const SeriesQuestion& question);

}  // namespace holdfast::loop
