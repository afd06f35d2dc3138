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
//   - The command gets the caller's signal mask and ignored signals (SignalState), SIGPIPE and
//     SIGXFSZ with their default action, and no descriptor of holdfast's but those of `inherit`. No
//     handler of the caller's runs in the child.
//   - Between birth and exec the child allocates nothing and takes no lock, so it is safe in a
//     program with threads.
//
// Limits: a file without `#!` is not handed to a shell (cause `enoexec`). Whether the exec happens
// cannot be known at release(): the start is an event, see start_handle(). The numbers 0, 1 and 2
// must be taken (adopt_standard_streams, os/stream/stdio.h): a handle that becomes a stream is not one of
// them. What is prepared for the child, 16 KiB and a copy of words and environment, is freed by
// read_start() where the command started, and else never: for a program that starts few. With a
// directory, a relative name of the program or entry of PATH starts from there.
//
// On Windows the child is the command's own process, suspended (spawn_win.cc); it leads a process
// group of its own whatever `session` says, and kNew also means that it shares no visible console.
// A word that a program cannot get through Windows' one command line is refused, and so is
// kNewWithTerminal (`unsupported`).
//
// Sequence: spawn() → record child().pid → release() → poll start_handle() → read_start(), once.
// Errors: kOsRefused (`eagain`, `emfile`, …), kRefused (`unsafe-name`: a word, the directory or the
// environment holds a NUL byte; `bad-environment`: it is not NAME=VALUE): nothing was started.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/signal/signals.h"
#include "os/spawn/child.h"

namespace holdfast::os {

// The caller's own stdin, nothing (/dev/null), or `input`, at its position.
enum class StdinFrom : std::uint8_t { kStdin, kNothing, kHandle };
// The caller's own stdout or stderr, or `output`.
enum class StdoutTo : std::uint8_t { kStdout, kStderr, kHandle };
// The caller's own stderr, or `errors`.
enum class StderrTo : std::uint8_t { kStderr, kHandle };
// The caller's session and process group; or new ones; or new ones with the terminal that is its
// stdin as the controlling one.
enum class SpawnSession : std::uint8_t { kKeep, kNew, kNewWithTerminal };

struct SpawnRequest {
  std::vector<std::string> argv;  // at least the name; looked up as in program.h
  StdinFrom stdin_from = StdinFrom::kStdin;
  NativeHandle input = HandleTraits::nothing();  // for kHandle; stays the caller's to close
  StdoutTo stdout_to = StdoutTo::kStdout;
  NativeHandle output = HandleTraits::nothing();  // in the same way
  StderrTo stderr_to = StderrTo::kStderr;
  NativeHandle errors = HandleTraits::nothing();  // in the same way
  SpawnSession session = SpawnSession::kKeep;
  std::optional<std::string> directory{};  // where it runs; else where the caller is
  // NAME=VALUE, on top of the caller's own; a name that is there already gets the new value. A PATH
  // in it is the one that the program is looked up in.
  std::vector<std::string> environment{};
  std::vector<std::string> environment_without{};  // names that it does not get
  // Which the command gets too, under the same numbers. None of 0, 1 and 2; they stay
  // close-on-exec here.
  std::vector<NativeHandle> inherit{};
  SignalState signals{};
  // The directory of a control group (v2); on Windows a job object (os/process/job.h). The child is in it
  // before spawn() returns, so no byte of the command runs outside.
  NativeHandle cgroup = HandleTraits::nothing();
  // Linux: in a pid namespace of its own, with a /proc of its own, below an init that is ours. Its
  // end is the end of everybody in it, by the kernel; it ends with this process (however that ends)
  // and when nobody is left in it. Where this user may not make one alone, it is made with a user
  // namespace, in which there is nobody but this user. child() is the init. Only for a process
  // without other threads, and not without `check` of the caller: kOsRefused `no-pid-namespace`
  // where the kernel refuses, kRefused `unsupported` on Windows.
  bool own_pid_namespace = false;
};

struct StartFailure {
  enum class Kind : std::uint8_t {
    kNotFound,       // no such program
    kNotExecutable,  // found, but the kernel would not run it
    kNoDirectory,    // the directory to run in could not be entered
    kNotReached,     // holdfast's own preparation failed in the child
  };
  Kind kind = Kind::kNotReached;
  int os_code = 0;
};

// What the child waits at. Closed before it was opened: the child ends, and nothing ran.
struct GateTraits {
  using Value = NativeHandle;
  static NativeHandle nothing() { return -1; }
  static void close(NativeHandle gate);
};
using Gate = Scoped<GateTraits>;

// Memory that a child shares with its parent, on Linux, until it has become its command. Closing it
// frees nothing: read_start() does, which knows when the child needs it no more.
struct ChildRoom;
struct RoomTraits {
  using Value = ChildRoom*;
  static ChildRoom* nothing() { return nullptr; }
  static void close(ChildRoom* /*room*/) {}
};
using SharedRoom = Scoped<RoomTraits>;

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
  Spawned(OwnChild child, Gate gate, Handle start, SharedRoom room = {})
      : child_(std::move(child)),
        gate_(std::move(gate)),
        start_(std::move(start)),
        room_(std::move(room)) {}

  OwnChild child_;
  Gate gate_;
  Handle start_;
  SharedRoom room_;
};

Result<Spawned> spawn(const SpawnRequest& request);

// Of a child with an `outcome`: how its command ended. nullopt: it has not, or nobody said so
// before the init was gone. Blocks unless `outcome` is readable.
Result<std::optional<ChildEnd>> read_outcome(const OwnChild& child);

}  // namespace holdfast::os
