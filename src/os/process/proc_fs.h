// SPDX-License-Identifier: Apache-2.0
//
// /proc as text: which processes there are, and what one of their files says. No interpretation
// here; src/proc does that.
//
// Three answers, never two: the text; nullopt where the kernel says that there is no such process
// (ENOENT, ESRCH); an Error for everything else. "Not permitted" is such an error: the process may
// well be alive.
//
// Limits: a listing is not a snapshot, processes come and go while it is read. Processes that
// hidepid keeps from the caller are missing from the listing (hidepid=2; asked for by number they
// are nullopt, as the kernel itself says ENOENT), or are listed but not permitted (hidepid=1).
// Besides other users' processes these are the caller's own set-user-id programs. Whether this
// /proc shows the caller's own pid namespace at all is for src/proc to check.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "os/process/pid.h"

namespace holdfast::os {

Result<> each_process(const std::function<void(Pid)>& visit);

// /proc/PID/NAME, at most 4 KiB of it. nullopt: there is no such process, and nothing else.
Result<std::optional<std::string>> read_proc_file(Pid pid, const char* name);
// The same up to its end, for what may be long (environ). More than `max` bytes: kRefused, cause
// `too-large`.
Result<std::optional<std::string>> read_whole_proc_file(Pid pid, const char* name, std::size_t max);
// /proc/self/NAME: what /proc says about the caller, under whatever number.
Result<std::optional<std::string>> read_own_proc_file(const char* name);

}  // namespace holdfast::os
