// SPDX-License-Identifier: Apache-2.0
//
// The line of /proc/PID/stat, parsed.
//
// Hazard: the second field is the program's own choice of name, in brackets, and may hold spaces,
// brackets and newlines: `1 (a) R 0 (b) S 1 …`. Counting words from the left lets a process forge
// its parent. The name ends at the *last* `)` of the line; nothing after it can hold one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "os/process/pid.h"

namespace holdfast::proc {

struct ProcessFacts {
  os::Pid pid{};
  os::Pid parent{};
  char state = '?';               // as in ps: R S D T t Z X …
  std::uint64_t start_ticks = 0;  // since boot, in clock ticks
  std::string name{};             // for people only; at most 15 bytes, chosen by the process
  std::uint32_t threads = 1;
  os::Pid session{};
  bool forked_only = false;  // has not exec'd a program since it was forked: a subshell
  bool kernel_thread = false;

  // A first thread that has ended shows as Z while others of its process still run: that is no
  // zombie.
  [[nodiscard]] bool is_zombie() const { return (state == 'Z' || state == 'X') && threads <= 1; }
  bool operator==(const ProcessFacts&) const = default;
};

// nullopt: not such a line.
std::optional<ProcessFacts> parse_stat_line(std::string_view line);

}  // namespace holdfast::proc
