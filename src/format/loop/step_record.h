// SPDX-License-Identifier: Apache-2.0
//
// StepRecord: what is known of one step (`once`, `attempt`, `notify`) of a key, as
// `HOME/once/<escaped KIND:KEY>.json` keeps it.
//
// The record says what is intended and what was counted; what became of an intended run is said by
// the session of that name (session/record/view.h). `pending` names the run by its id: as long as it is
// there, the outcome of that run was not counted, and it is counted in the same write that takes
// `pending` away, so never twice.
//
// One JSON object with `v` and `kind`; keys that are not known are ignored on reading. A newer
// version is kCannotTell (format_version.h); anything else that is not such a record is kCorrupt,
// cause `bad-step-record`, and is never taken for "not done yet". At most kMaxStepRecordBytes.
// Bytes that are no text are kept as they are (json.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/digest.h"
#include "base/id128.h"
#include "base/result.h"
#include "format/json/due_time.h"
#include "format/session/process_identity.h"
#include "format/session/session_record.h"

namespace holdfast {

enum class StepKind : std::uint8_t { kOnce, kAttempt, kNotify };
inline constexpr std::size_t kStepKinds = 3;
std::string_view to_text(StepKind kind);  // "once"
std::optional<StepKind> parse_step_kind(std::string_view text);

// The name of the step's session: "once:KEY".
std::string step_session(StepKind kind, std::string_view key);

// A run that was counted.
struct StepEnd {
  Id128 run{};
  WallTime began{};
  std::optional<WallTime> ended{};  // nullopt: nobody saw it end
  // Final; kLost: nobody knows how it ended, or its own record is gone.
  SessionState state = SessionState::kLost;
  std::optional<int> exit_code{};
  std::optional<int> signal{};
  bool repeats = false;  // it began while the outcome of an earlier one was not known
  // Somebody asked it to end before it had: it has not done its work, whatever it exits with.
  bool asked = false;
  bool unproven = false;  // it exited with 0, and its verification could not tell

  bool operator==(const StepEnd&) const = default;
};

// A text of `notify`, whole, and what it is compared by.
struct NoticeText {
  Digest digest{};
  std::string text{};

  bool operator==(const NoticeText&) const = default;
};

// Texts that are to be sent together, the oldest first, and what is to be said of others.
struct NoticeBundle {
  std::vector<NoticeText> texts{};
  std::uint64_t repeats = 0;  // how often one of them came again meanwhile
  std::uint64_t dropped = 0;  // that found no room

  bool operator==(const NoticeBundle&) const = default;
};

// A run that was let go and not counted yet.
struct StepPending {
  Id128 run{};
  bool reserved = false;  // its session's record was there
  TimeMark since{};
  ProcessIdentity by{};   // its supervisor
  Duration retry_wait{};  // before the next one, where it fails
  bool repeats = false;
  NoticeBundle notice{};  // notify: what is being sent

  bool operator==(const StepPending&) const = default;
};

struct StepDone {
  Id128 run{};  // 0: a verification said that it was done
  TimeMark at{};

  bool operator==(const StepDone&) const = default;
};

// A text that was sent, and how often the same one was held back since.
struct SentNotice {
  Digest text{};
  TimeMark at{};
  bool unsure = false;  // whether it arrived is not known
  std::uint64_t held_back = 0;

  bool operator==(const SentNotice&) const = default;
};

struct StepRecord {
  static constexpr std::int64_t kVersion = 1;

  StepKind step = StepKind::kOnce;
  std::string key{};
  WallTime created{};
  std::optional<StepPending> pending{};
  std::optional<StepDone> done{};      // once, attempt
  std::optional<StepEnd> unsure{};     // once: the last run whose outcome is not known
  std::uint64_t runs = 0;              // that were counted
  std::uint64_t lost = 0;              // of them, whose outcome is not known
  std::uint64_t failures = 0;          // attempt: used up; notify: since the last one that was sent
  std::optional<std::uint64_t> max{};  // attempt: what the last caller allowed
  // once, notify: the --ttl or --cooldown of the last run; nullopt: what it decides is for good
  std::optional<Duration> lapses{};
  std::optional<DueTime> next{};   // attempt, notify: not before
  std::vector<StepEnd> history{};  // the newest last
  std::vector<SentNotice> sent{};  // notify: the newest last
  NoticeBundle kept{};             // notify: what was not sent yet, and is not in `pending`

  bool operator==(const StepRecord&) const = default;
};

inline constexpr std::size_t kMaxNoticeBytes = std::size_t{1} << 20U;  // of all in a bundle
inline constexpr std::size_t kMaxBundleTexts = 32;
inline constexpr std::size_t kMaxStepRecordBytes = std::size_t{32} << 20U;
inline constexpr std::size_t kMaxStepHistory = 20;
inline constexpr std::size_t kMaxSentNotices = 32;

std::string encode_step_record(const StepRecord& record);
// `subject` names the file in errors.
Result<StepRecord> decode_step_record(std::string_view bytes, std::string_view subject);

}  // namespace holdfast
