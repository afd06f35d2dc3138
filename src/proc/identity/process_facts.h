// SPDX-License-Identifier: Apache-2.0
//
// What the system says of one process, read out of the texts of /proc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "os/process/pid.h"

namespace holdfast::proc {

// The line of /proc/PID/stat, parsed.
//
// Hazard: the second field is the program's own choice of name, in brackets, and may hold spaces,
// brackets and newlines: `1 (a) R 0 (b) S 1 …`. Counting words from the left lets a process forge
// its parent. The name ends at the *last* `)` of the line; nothing after it can hold one.
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

// What /proc/PID/status says that /proc/PID/stat does not.
//
// The name of the program is in it, too; the kernel escapes its newlines there, so a line that
// begins with a key is the kernel's own.
struct StatusFacts {
  os::Pid process{};      // not the number that was asked for where that is one of its threads
  std::uint32_t uid = 0;  // the effective one
  // Its own pid namespace and those around it, up to that of /proc; 0: not told.
  int pid_levels = 0;
  bool namespace_init = false;  // process 1 of a pid namespace below that of /proc
};

// nullopt: not such a text.
std::optional<StatusFacts> parse_status_text(std::string_view text);

// The rows below `root`, itself not included, parents before their children.
std::vector<ProcessFacts> descendants_of(os::Pid root, const std::vector<ProcessFacts>& table);

// What a process runs, for people: the first word of its command line. The rest may hold secrets and
// goes into no record and no event (rule J4). Empty where it cannot be read.
std::string program_of(os::Pid pid);

}  // namespace holdfast::proc
