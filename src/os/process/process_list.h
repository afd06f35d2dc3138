// SPDX-License-Identifier: Apache-2.0
//
// The processes of this machine and what each says about itself, as Windows tells it. No judgement
// here; src/proc does that. (Linux has /proc instead: os/process/proc_fs.h.)
//
// `start` counts in clock ticks (os/machine/real_clock.h) from the moment of the boot, as the clock stood
// when the process was created: it never changes, and within one boot a number and a start name one
// process. `parent` is the number of who created it, as it was then: that number may be another's
// by now, which only the start times of the two tell (proc/tree/process_table_win.cc).
//
// Three answers: nullopt says that nobody has the number; an Error that it cannot be told, above
// all `eacces` for a process that this user may not ask about.
//
// Limits: a listing is one look. Creation times have the grain of the system's clock, up to 16 ms.
// Platform: Windows only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "os/process/pid.h"
#include "os/sys/handle.h"

namespace holdfast::os {

struct ListedProcess {
  Pid pid{};
  Pid parent{};
  std::uint32_t threads = 0;
  std::string name{};  // of its program's file, for people
};

Result<> each_listed_process(const std::function<void(const ListedProcess&)>& visit);

struct ProcessBirth {
  std::uint64_t start = 0;
  bool ended = false;  // somebody still has a handle of it
};
Result<std::optional<ProcessBirth>> process_birth(Pid pid);
// Of the process that a handle means (os/process/pidfd.h), whatever became of its number.
Result<ProcessBirth> process_birth(const Handle& process);

// 0 for a process of this user, as for files (os/file/file.h); else the last part of its user's
// SID, which is never 0.
Result<std::uint32_t> process_user(const Handle& process);

}  // namespace holdfast::os
