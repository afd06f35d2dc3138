// SPDX-License-Identifier: Apache-2.0
//
// Spawn: a child that waits at the gate until its parent has written down who it is.
//
// Guarantees:
//   - The child exists, with pid and pidfd, before any byte of the command runs. It blocks on a
//     pipe that only the parent writes; if the parent dies or drops the Spawned, it exits with 125
//     and the command never runs.
//   - A failure before the command runs is told apart from every exit code of the command: the
//     child reports it on a pipe that a successful exec closes.
//   - The command gets the caller's signal mask and ignored signals (SignalState), SIGPIPE with its
//     default action, and no descriptor of holdfast's: those are close-on-exec.
//   - Between fork and exec the child allocates nothing and takes no lock, so it is safe in a
//     program with threads.
//
// Limits: a file without `#!` is not handed to a shell (cause `enoexec`). Whether the exec happens
// cannot be known at release(): the start is an event, see start_handle().
//
// Sequence: spawn() → record child().pid → release() → poll start_handle() → read_start(), once.
// Errors: kOsRefused (`eagain`, `emfile`, …), kRefused (`unsafe-name`: a word of argv holds a NUL
// byte): nothing was started.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/child.h"
#include "os/signals.h"

namespace holdfast::os {

enum class StdoutTo : std::uint8_t { kStdout, kStderr };

struct SpawnRequest {
  std::vector<std::string> argv;  // at least the name; looked up as in exec_path.h
  StdoutTo stdout_to = StdoutTo::kStdout;
  SignalState signals;
};

struct StartFailure {
  enum class Kind : std::uint8_t {
    kNotFound,       // no such program
    kNotExecutable,  // found, but the kernel would not run it
    kNotReached,     // holdfast's own preparation failed in the child
  };
  Kind kind = Kind::kNotReached;
  int os_code = 0;
};

class Spawned {
 public:
  [[nodiscard]] const OwnChild& child() const { return child_; }
  // Opens the gate.
  [[nodiscard]] Result<> release();
  // Readable when the command has started or cannot.
  [[nodiscard]] const Handle& start_handle() const { return start_; }
  // nullopt: the command runs (or ran). Blocks until that is known.
  [[nodiscard]] Result<std::optional<StartFailure>> read_start();

 private:
  friend Result<Spawned> spawn(const SpawnRequest& request);
  Spawned(OwnChild child, Handle gate, Handle start)
      : child_(std::move(child)), gate_(std::move(gate)), start_(std::move(start)) {}

  OwnChild child_;
  Handle gate_;
  Handle start_;
};

Result<Spawned> spawn(const SpawnRequest& request);

}  // namespace holdfast::os
