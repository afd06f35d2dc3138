// SPDX-License-Identifier: Apache-2.0
//
// The processes that carry a run id in their environment.
//
// A session puts HOLDFAST_RUN=<run id> into the environment of its command; what that starts
// inherits it, however it forked, whoever its parent is by now. The kernel shows the environment
// with which a program was exec'd, so a process cannot be made to carry an id after its start.
//
// Guarantee: a carrier was pinned before its environment was read, and had not ended afterwards:
// the pin means the process that carries the id.
//
// Limits: it finds, it never proves that nobody is left. A program that was started with another
// environment (`env -i`, sudo) or writes over its own is not found; what may not be read (another
// user's, a set-user-id program) is counted in `unread`; what hidepid=2 keeps out of the listing is
// not even counted. Who knows the id can carry it on purpose, and is then found.
//
// Errors: /proc cannot be listed at all (kCannotTell, kOsRefused). Windows
// does not show environments: nobody is found, and all are unread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id128.h"
#include "base/result.h"
#include "os/process/pid.h"
#include "os/sys/handle.h"
#include "proc/identity/process_facts.h"

namespace holdfast::proc {

inline constexpr std::string_view kRunVariable = "HOLDFAST_RUN";

// The id in an environment as /proc shows it. nullopt: none, or one that is no id.
std::optional<Id128> run_id_in(std::string_view environment);

// The value of any variable there; of two with the same name the first counts, as for getenv.
std::optional<std::string_view> variable_in(std::string_view environment, std::string_view name);

// The environment with which the process was exec'd; nullopt: there is no such process. Not
// permitted is an Error, and so it is on Windows.
Result<std::optional<std::string>> environment_of(os::Pid pid);

// Of the process that has the number; the caller has pinned it, and sees afterwards that it has not
// ended. nullopt: it carries none. Not permitted is an Error.
Result<std::optional<Id128>> run_id_of(os::Pid pid);

struct RunIdScan {
  struct Carrier {
    ProcessFacts facts;
    os::Handle pidfd;
  };
  std::vector<Carrier> carriers;
  std::size_t unread = 0;  // processes whose environment could not be read
};

// The caller itself is among them if it carries the id.
Result<RunIdScan> scan_run_id(const Id128& run);
// The same for whoever has `name` with this value in its environment.
Result<RunIdScan> scan_variable(std::string_view name, std::string_view value);

}  // namespace holdfast::proc
