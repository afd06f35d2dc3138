// SPDX-License-Identifier: Apache-2.0
//
// Job: a job object around a tree of processes. Windows only.
//
// Guarantees: who is put into it before it runs, and all that it starts, is in it for good: nobody
// can leave it, since it does not permit a breakaway. kill() ends them all in one call. `active()`
// is the system's own count. The system ends everybody in it when the last handle to it is closed,
// which is when this process ends, however that happens, until let_go_on() was called.
//
// Limits: a process that others start on request (a service, the task scheduler, WMI) is in no job
// of ours. Under Wine 8 the limits of memory and of processes are accepted and not enforced.
//
// changes() is readable, until take_changes(), when somebody came, went, or the last one went: a
// helper thread waits for the job's completion port and sets it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "os/process/pid.h"
#include "os/sys/handle.h"

namespace holdfast::os {

class Job {
 public:
  struct Limits {
    std::optional<std::uint64_t> memory{};       // bytes, of all together
    std::optional<std::uint64_t> pids{};         // at once
    std::optional<std::uint64_t> cpu_percent{};  // of one processor
  };
  static Result<Job> make(const Limits& limits);
  Job(Job&&) noexcept;
  Job& operator=(Job&&) noexcept;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  ~Job();

  // For SpawnRequest::cgroup.
  [[nodiscard]] NativeHandle handle() const;
  [[nodiscard]] const Handle& changes() const;
  void take_changes() const;

  // From here on those in it live on when this process ends. Not before the last command was let
  // through its gate (os/spawn/spawn.h): one that waits there would wait for ever.
  [[nodiscard]] Result<> let_go_on() const;

  [[nodiscard]] Result<std::uint32_t> active() const;
  // Sorted; who is there now.
  [[nodiscard]] Result<std::vector<Pid>> members() const;
  // Asks the process group that `leader` leads, or led, by Ctrl-Break. The number must be pinned by
  // an open handle. False: it reached nobody. It reaches those who share our console, and nobody
  // where we have none.
  [[nodiscard]] static bool ask_group_to_end(Pid leader);
  // Everybody in it ends as killed by KILL.
  [[nodiscard]] Result<> kill() const;

 private:
  struct State;
  explicit Job(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace holdfast::os
