// SPDX-License-Identifier: Apache-2.0
//
// What /proc/PID/status says that /proc/PID/stat does not.
//
// The name of the program is in it, too; the kernel escapes its newlines there, so a line that
// begins with a key is the kernel's own.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "os/process/pid.h"

namespace holdfast::proc {

struct StatusFacts {
  os::Pid process{};      // not the number that was asked for where that is one of its threads
  std::uint32_t uid = 0;  // the effective one
  int pid_levels =
      0;  // its own pid namespace and those around it, up to that of /proc; 0: not told
  bool namespace_init = false;  // process 1 of a pid namespace below that of /proc
};

// nullopt: not such a text.
std::optional<StatusFacts> parse_status_text(std::string_view text);

}  // namespace holdfast::proc
