// SPDX-License-Identifier: Apache-2.0
//
// /proc as text: which processes there are, and what one of their files says. No interpretation
// here; src/proc does that.
//
// Limits: a listing is not a snapshot, processes come and go while it is read. With hidepid, other
// users' processes are missing. Whether this /proc shows the caller's own pid namespace at all is
// for src/proc to check.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "os/pid.h"

namespace holdfast::os {

Result<> each_process(const std::function<void(Pid)>& visit);

// /proc/PID/NAME, at most 4 KiB of it. nullopt: there is no such process, or it is not ours to
// read.
Result<std::optional<std::string>> read_proc_file(Pid pid, const char* name);
// /proc/self/NAME: what /proc says about the caller, under whatever number.
Result<std::optional<std::string>> read_own_proc_file(const char* name);

}  // namespace holdfast::os
