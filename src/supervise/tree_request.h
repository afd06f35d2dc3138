// SPDX-License-Identifier: Apache-2.0
//
// TreeRequest: what the shim is to run. run.h and pipeline.h each make one of theirs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/id128.h"
#include "os/signal/signals.h"
#include "os/spawn/spawn.h"
#include "os/sys/handle.h"
#include "proc/tree/limits.h"

namespace holdfast::supervise {

inline constexpr Duration kDefaultGrace = std::chrono::seconds(10);
// How long KILL is repeated before what is left counts as survivors.
inline constexpr Duration kPatience = std::chrono::seconds(10);

// How long after the commands others of the tree may hold the output that is taken.
inline constexpr Duration kLetGo = std::chrono::milliseconds(500);

inline constexpr std::size_t kMaxCommands = 32;  // so that a report fits into one write to a pipe

// What becomes of those who live when the commands themselves have ended: they are ended, or left
// alone, or waited for. A tree that is ended for another reason is ended whole.
enum class Leftovers : std::uint8_t { kEnd, kLeave, kWait };

struct TreeRequest {
  // One to kMaxCommands, each at least the name; each one's stdout is the next one's stdin.
  std::vector<std::vector<std::string>> commands;
  os::StdinFrom stdin_from = os::StdinFrom::kStdin;      // of the first
  os::NativeHandle input = os::HandleTraits::nothing();  // for kHandle
  os::StdoutTo stdout_to = os::StdoutTo::kStdout;        // of the last
  // For kHandle where no front end takes it, and for the errors of every command.
  os::NativeHandle output = os::HandleTraits::nothing();
  os::StderrTo stderr_to = os::StderrTo::kStderr;
  os::NativeHandle errors = os::HandleTraits::nothing();
  os::SpawnSession session = os::SpawnSession::kKeep;
  std::optional<std::string> directory{};  // as in os/spawn/spawn.h
  std::vector<std::string> environment{};  // in the same way
  std::vector<std::string> environment_without{};
  std::vector<os::NativeHandle> inherit{};  // of every command; the supervisor keeps them, too
  Leftovers leftovers = Leftovers::kEnd;
  std::vector<os::NativeHandle> not_for_shim{};  // closed in the supervisor, which is a mere fork
  std::optional<Duration> timeout{};
  Duration grace = kDefaultGrace;
  int kill_signal = os::kSignalTerm;  // what asks the tree to end
  // Hold it together by a control group as well, where one can be made (proc/tree/cgroup.h); limits of
  // the whole tree make one in any case. Not with Leftovers::kLeave.
  bool contain_by_cgroup = false;
  bool own_pid_namespace = false;  // as in os/spawn/spawn.h; of one command
  proc::LimitRequest limits{};
  std::optional<Id128> run{};      // names the group; else a random one
  bool outlives_front_end = true;  // else it is ended when that dies, or gives its output up
};

}  // namespace holdfast::supervise
