// SPDX-License-Identifier: Apache-2.0
//
// SessionRecord: what is known about one run of a session, as `session.json` keeps it.
//
// One JSON object with `v` and `kind`; keys that are not known are ignored on reading. A newer
// version is kCannotTell (format_version.h); anything else that is not such a record is kCorrupt,
// cause `bad-session-record`, and is never taken for "no session". At most kMaxSessionRecordBytes.
//
// Bytes that are no text (an argument, a directory) are kept as they are (json.h). Times are
// exact to the millisecond, durations are whole milliseconds, rounded up.
//
// The record is a hint: it says where to look. Whether a process lives is said by the kernel, so a
// forged or damaged record can keep a name busy, and can never lead to a signal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/id128.h"
#include "base/result.h"
#include "format/session/process_identity.h"

namespace holdfast {

// In this order everywhere they are listed. The last six are final: nothing follows but a new run.
enum class SessionState : std::uint8_t {
  kReserved,  // the name is taken, nothing was started
  kStarting,  // the command waits at its gate
  kRunning,
  kStopping,   // the tree is being ended, or could not be ended
  kVerifying,  // the tree is gone, its claim is being verified
  kOrphaned,   // its supervisor is gone; the tree may run
  kExited,     // with a code, 0 included
  kFailed,     // never started
  kTimedOut,
  kKilled,      // by a signal
  kUnverified,  // exited with 0, and the verification did not confirm it
  kLost,        // gone, and how it ended is not known
};
inline constexpr std::size_t kSessionStates = 12;
std::string_view to_text(SessionState state);  // "timed_out"
std::optional<SessionState> parse_session_state(std::string_view text);
inline bool is_final(SessionState state) { return state >= SessionState::kExited; }

// What the run was asked to be; enough to run it again.
struct SessionOrder {
  std::vector<std::string> command{};       // at least the name
  std::string directory{};                  // absolute
  std::vector<std::string> environment{};   // NAME=VALUE of --env
  std::optional<std::string> stdin_path{};  // absolute
  std::optional<Duration> timeout{};
  std::optional<Duration> idle_timeout{};
  Duration grace{};
  int kill_signal = 15;
  std::optional<std::string> verify{};
  Duration verify_timeout{};
  std::optional<std::string> on_end{};
  std::optional<std::string> on_failure{};
  std::optional<std::string> on_success{};
  bool once_per_streak = false;      // the last two, only when that changes
  std::vector<std::string> locks{};  // names of --lock; a slot is "NAME/?ofN"
  Duration stagger{};                // between two starts with a slot of one name; 0: none
  bool wait_descendants = false;
  bool log = true;
  bool pty = false;
  std::uint64_t log_max = 0;  // bytes of one log file
  std::optional<std::uint64_t> memory{};
  bool memory_by_rlimit = false;  // where no control group can limit it
  std::optional<std::uint64_t> pids{};
  std::optional<std::uint64_t> cpu_percent{};  // 150: one processor and a half
  std::optional<std::uint64_t> nofile{};
  bool limits_best_effort = false;
  bool own_pid_namespace = false;          // --contain pidns
  std::optional<ProcessIdentity> owner{};  // --owner: the tree ends with this process

  bool operator==(const SessionOrder&) const = default;
};

// A group of the kernel that the tree was born in.
struct SessionCgroup {
  std::string path{};    // of the directory
  std::uint64_t id = 0;  // its inode: a group of the same name later has another
  // The inode of the directory that was mounted, so that the path can be understood later: in a
  // container another part of the hierarchy may be mounted at the same place. 0: not known.
  std::uint64_t root = 0;

  bool operator==(const SessionCgroup&) const = default;
};

// Somebody asked the run to end. A command that then exits with 0 has obeyed; that it has done its
// work says nobody (rule P7).
struct SessionAsked {
  std::string by{};             // "stop, process 1234", "TERM, process 1234"
  std::optional<int> signal{};  // that the command was sent; nullopt: `stop`, which ends the tree

  bool operator==(const SessionAsked&) const = default;
};

// Where the runs of a name stand (streak_after in format/session/outcome.h).
struct SessionStreak {
  std::uint64_t failures = 0;  // in a row
  bool failure_told = false;   // --on-failure has told of them
  bool success_due = false;    // --on-success has not told yet that they are over

  bool operator==(const SessionStreak&) const = default;
};

struct SessionRecord {
  static constexpr std::int64_t kVersion = 1;

  std::string name{};
  Id128 run{};               // of this run; also in the environment, as HOLDFAST_RUN
  std::uint64_t number = 1;  // the first run of this name is 1
  SessionState state = SessionState::kReserved;
  SessionOrder order{};
  std::string host{};
  WallTime created{};
  std::optional<WallTime> started{};
  std::optional<WallTime> ended{};
  std::optional<std::int64_t> deadline_boot_ns{};  // on the boot clock of `supervisor`'s boot
  // Whoever wrote the record while it was reserved; later the supervisor.
  ProcessIdentity supervisor{};
  std::optional<ProcessIdentity> command{};  // the first process of the tree
  std::string containment{};                 // a word of supervise/report.h
  std::optional<SessionCgroup> cgroup{};
  std::vector<std::string> limits_by{};  // "memory: cgroup", "cpu: not enforced (…)"

  std::string reason{};  // why it came to this state: a stable word
  std::string detail{};  // for people
  std::optional<int> exit_code{};
  std::optional<int> signal{};
  std::optional<bool> verified{};
  std::optional<WallTime> last_output{};
  std::uint64_t log_bytes = 0;           // that were printed
  std::uint64_t log_lost = 0;            // of them, that could not be kept
  std::vector<std::string> survivors{};  // "1234 (name)"
  bool adopted = false;
  bool counted = false;  // a loop, a step or a series accounts for it later
  std::optional<SessionAsked> asked{};
  SessionStreak streak{};  // before this run
  bool told = false;       // --on-failure or --on-success of this run succeeded

  bool operator==(const SessionRecord&) const = default;
};

inline constexpr std::size_t kMaxSessionRecordBytes = std::size_t{4} << 20U;

std::string encode_session_record(const SessionRecord& record);
// `subject` names the file in errors.
Result<SessionRecord> decode_session_record(std::string_view bytes, std::string_view subject);

}  // namespace holdfast
