// SPDX-License-Identifier: Apache-2.0
//
// ProcessIdentity: what makes a process this one and no other, as records keep it. src/proc makes
// and judges it.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/id128.h"
#include "base/result.h"
#include "format/json/json.h"

namespace holdfast {

struct ProcessIdentity {
  Id128 boot;               // of the kernel; zeros: not known
  Id128 machine;            // zeros: not known
  std::uint64_t pidns = 0;  // inode of the pid namespace that `pid` counts in
  std::uint64_t timens =
      0;  // the boot clock that `start` and boot times count by (os/machine/namespaces.h)
  std::int32_t pid = 0;     // 0: no process
  std::uint64_t start = 0;  // ticks since boot
  std::uint64_t pidfs = 0;  // unique within the boot, where the kernel has it (6.9); else 0
  std::uint32_t uid = 0;

  bool operator==(const ProcessIdentity&) const = default;
};

// The codec of an identity as people and scripts keep it: one line of JSON.
//
//   {"v":1,"boot":"…32 hex…","machine":"…","pidns":4026531836,"timens":4026531834,"pid":4711,
//    "start":88231,"pidfs":70301,"uid":1000,"run":null}
//
// `boot`, `machine` and `run` are 32 lower-case hexadecimal digits (zeros: not known), `run` may be
// null or missing; everything else is a whole number that is not negative. What they mean is said
// in proc/identity/identity.h. `run` is the run id that the process carries in its environment
// (HOLDFAST_RUN), for people and for finding what else carries it; it is never compared to tell
// whether two processes are the same.
//
// Unknown further keys are allowed, so the document of `holdfast identify --json` is an identity as
// well. A newer version is kCannotTell (format_version.h); anything else that is not such an object
// (also one that is cut short, or with a key of it twice) is kCorrupt, cause `bad-identity`.
//
// Limit: tools that read every number as a double (jq before 1.7) change numbers above 2^53, which
// the kernel has not reached anywhere; the identity would then be another one, and never match.
struct IdentityRecord {
  static constexpr std::int64_t kVersion = 1;

  ProcessIdentity process{};
  std::optional<Id128> run{};

  bool operator==(const IdentityRecord&) const = default;
};

inline constexpr std::size_t kMaxIdentityBytes = 4096;

// One line without its newline.
std::string encode_identity(const IdentityRecord& identity);
// `subject` names the source in errors. White space around the object is allowed.
Result<IdentityRecord> decode_identity(std::string_view bytes, std::string_view subject);

// The same inside another record, which is parsed already. Only there: a key that stands twice is
// not seen any more.
Json identity_to_object(const IdentityRecord& identity);
Result<IdentityRecord> identity_from_object(const Json& object, std::string_view subject);

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
struct PidFileText {
  std::int32_t pid = 0;                        // above 0
  std::optional<std::uint64_t> start_ticks{};  // since the boot of whoever wrote it
  std::optional<std::string> host{};

  bool operator==(const PidFileText&) const = default;
};

inline constexpr std::size_t kMaxPidFileBytes = 16384;

std::optional<PidFileText> read_pid_file_text(std::string_view bytes);

}  // namespace holdfast
