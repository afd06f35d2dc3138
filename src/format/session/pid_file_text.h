// SPDX-License-Identifier: Apache-2.0
//
// What other programs write into their pid files.
//
//   1234                         a bare number, white space around it allowed
//   1234 88231                   number and start ticks (field 22 of /proc/PID/stat), in one line
//                                or in two
//   {"pid":1234,"starttime":88231}   the same as an object; `start_ticks` is understood too
//   anything that format/lock/foreign_lock.h reads: a host name in the second line, `host` in an object
//
// Pure: it says what is written there, and nothing about whether that process lives. Where the
// number is not certain (half a record, a number above every pid, several pids) there is none: the
// answer is nullopt and never a guess.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

struct PidFileText {
  std::int32_t pid = 0;                        // above 0
  std::optional<std::uint64_t> start_ticks{};  // since the boot of whoever wrote it
  std::optional<std::string> host{};

  bool operator==(const PidFileText&) const = default;
};

inline constexpr std::size_t kMaxPidFileBytes = 16384;

std::optional<PidFileText> read_pid_file_text(std::string_view bytes);

}  // namespace holdfast
