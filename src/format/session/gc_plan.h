// SPDX-License-Identifier: Apache-2.0
//
// GcPlan: what `gc --plan` found, for `gc --apply` to do a part of; and TrashNote: when and why a
// workspace went to the trash.
//
// A plan is JSON lines: a head with `v`, `kind`, what was asked for and the number of entries, then
// one line per entry, so that a plan of a hundred thousand needs no tree of them in memory. A note
// is one JSON object. Keys that are not known are ignored; a newer version is kCannotTell
// (format_version.h); anything else is kCorrupt, cause `bad-gc-plan` or `bad-trash-note`. Bytes
// that are no text are kept as they are (json.h).
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
#include "format/session/workspace_record.h"

namespace holdfast {

// Of one workspace or session: what the plan saw. Another id or another change is another one by
// now.
struct GcPlanEntry {
  std::string name{};
  Id128 id{};
  std::uint64_t change = 0;  // of a session without a workspace: the number of its run
  bool run = false;          // it is such a one
  std::string reason{};

  bool operator==(const GcPlanEntry&) const = default;
};

// A command that lists what lives. An empty pool: it speaks for every `command:` authority.
struct GcProbe {
  std::string pool{};
  std::string command{};

  bool operator==(const GcProbe&) const = default;
};

struct GcPlan {
  static constexpr std::int64_t kVersion = 1;

  Id128 id{};
  WallTime at{};
  BootMoment made{};
  // What apply goes by.
  Duration grace{};
  Duration probe_timeout{};
  std::vector<GcProbe> probes{};
  std::optional<std::string> rescue{};
  Duration rescue_timeout{};
  Duration trash_for{};
  // For whom the brake was lifted: for all, or for these.
  bool allow_all = false;
  std::vector<std::string> allow{};
  std::vector<GcPlanEntry> entries{};

  bool operator==(const GcPlan&) const = default;
};

inline constexpr std::size_t kMaxGcPlanBytes = std::size_t{256} << 20U;

std::string encode_gc_plan(const GcPlan& plan);
// `subject` names the file in errors.
Result<GcPlan> decode_gc_plan(std::string_view bytes, std::string_view subject);

struct TrashNote {
  static constexpr std::int64_t kVersion = 1;

  WallTime at{};
  BootMoment moment{};
  std::string reason{};
  std::optional<Id128> plan{};
  Duration keep{};  // for how long it was to stay there
  // It is being brought back under this name: what was made for that may have it already.
  std::optional<std::string> as{};

  bool operator==(const TrashNote&) const = default;
};

inline constexpr std::size_t kMaxTrashNoteBytes = 4096;

std::string encode_trash_note(const TrashNote& note);
Result<TrashNote> decode_trash_note(std::string_view bytes, std::string_view subject);

}  // namespace holdfast
