// SPDX-License-Identifier: Apache-2.0
//
// CommandRunner: how this folder has a command run without knowing how processes are supervised.
//
// What an implementation promises: the command runs without a shell, reads nothing, and run()
// returns only when all that it started is gone. `exit_code` is there only where the command ended
// by itself, in time, no signal asked us to end meanwhile, and nothing was left that could not be
// ended or could add to the output; so a 0 is a success, a 1 is the command's own, and no value is
// never one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace holdfast::file {

struct CommandRequest {
  enum class Stdout : std::uint8_t { kTaken, kStderr };

  std::vector<std::string> argv;
  std::string directory;  // where it runs
  Duration timeout{};
  Stdout to = Stdout::kTaken;
  std::size_t max_output = 0;  // for kTaken
};

struct CommandResult {
  std::string output;  // for kTaken
  std::optional<int> exit_code;
  bool timed_out = false;
  bool interrupted = false;  // we were asked to end meanwhile: whatever it said, nobody wants it
  std::string failure;       // for people; empty where the exit code is 0
};

class CommandRunner {
 public:
  virtual ~CommandRunner() = default;
  // Errors: kCorrupt `too-large` where it printed more than max_output; else nothing was started,
  // or kCannotTell.
  virtual Result<CommandResult> run(const CommandRequest& request) = 0;
};

}  // namespace holdfast::file
