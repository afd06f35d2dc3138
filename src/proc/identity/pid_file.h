// SPDX-License-Identifier: Apache-2.0
//
// Is the process that an old pid file names the one that was meant when it was written?
//
// A pid file holds a number, and a number is no identity. What makes it one:
//   start ticks  in the file or given by the caller. Within one boot a number and a start time name
//                one process; the file must have been written since this boot began, as ticks count
//                from there. Equal: proven. Different: another process has the number (`recycled`).
//   a time       `started_after`, given by the caller: the process that is meant was started after
//                it. The process that has the number now must have started between that time and
//                the last write of the file (plus kWriteMargin). Nobody writes a number into a file
//                before its process exists, so whoever got the number later started after the
//                write. The time given bounds the other side: a file that was merely touched or
//                copied later would otherwise vouch for anybody.
// Without either the answer is unknown, `no-evidence`.
//
// The process starts on the boot clock, the file's time is on the wall clock. They are compared by
// the difference that the two clocks have now. Slewing (NTP) changes both alike; a *step* of the
// wall clock between the write and now does not: set back by more than the margin, a process that
// got the number within that time behind the write is taken for the one that is meant. So times
// that disagree are never a proof: the answer is unknown, and not "another".
//
// Unknown, with these words: `no-evidence`, `no-pid` (no certain number in the file),
// `other-host`, `before-boot` (the file is older than this boot, or the clock was set),
// `future-file` (its time is still to come), `started-later` (the process is younger than the
// file), `started-earlier` (older than `started_after`), and those of proc/identity/verdict.h. kRefused, as
// an Error: cause `foreign-user`, the process is another user's; a pid file is too little for that.
//
// Limits: a file that was written in another pid namespace of the same host name is not told. The
// number of a process that ended and was given out again within the margin of the write is not
// told by times.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "base/result.h"
#include "format/session/process_identity.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"

namespace holdfast::proc {

// File times are those of the last timer interrupt, start times are cut to ticks: 20 ms at most.
inline constexpr Duration kWriteMargin = std::chrono::milliseconds(100);

struct PidFileClaim {
  std::optional<PidFileText> text{};
  WallTime written{};  // the last write of the file
  std::optional<WallTime> started_after{};
  std::optional<std::uint64_t> start_ticks{};  // given by the caller; else those of the file count
};

struct PidFileVerdict {
  LifeVerdict verdict{};
  Identity identity{};  // of a live one; else only the number
};

Result<PidFileVerdict> judge_pid_file(const PidFileClaim& claim, const Clock& clock);

}  // namespace holdfast::proc
