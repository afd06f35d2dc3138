// SPDX-License-Identifier: Apache-2.0
//
// What `holdfast import` says of each record of another tool, and how it is told.
//
//   importable  nothing is in the way; with --apply it becomes
//   imported    it is taken over now
//   already     it was before, by this home, and has not changed since
//   held        somebody has it, by the kernel's word: it is left alone
//   unknown     whether somebody has it cannot be told (a number alone is nobody's identity)
//   corrupt     it cannot be read, and counts as nothing else
//   refused     a link, or no plain file or directory, or what stands in its place is another's
//
// The exit code is that of the worst: 65 corrupt, 69 unknown, 77 held or refused, else 0; 66 where
// there is no record at all.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/event_data.h"
#include "cli/block.h"
#include "cli/command.h"
#include "cli/context.h"

namespace holdfast::cli {

enum class ImportVerdict : std::uint8_t {
  kImportable,
  kImported,
  kAlready,
  kHeld,
  kUnknown,
  kCorrupt,
  kRefused
};
std::string_view to_text(ImportVerdict verdict);  // "importable"

struct ImportRecord {
  std::string name{};
  std::string source{};  // its absolute path
  ImportVerdict verdict = ImportVerdict::kImportable;
  std::string reason{};  // a stable word
  std::string detail{};  // for people; may be empty
  std::optional<int> pid{};
  std::string digest{};  // SHA-256 of what was read, in hex
  std::string as{};      // what it becomes here: a session, a file; empty: an event
  std::optional<std::uint64_t> rows{};
  EventData facts{};  // what was in it, for the event
};

struct ImportReport {
  std::string_view kind;  // "sidecars"
  std::string source{};   // what was named
  bool applied = false;
  std::vector<ImportRecord> records{};
};

// Prints or emits; the exit code.
int answer_import(Context& context, const ImportReport& report);

inline constexpr OptionSpec kImportApply{
    .name = "apply", .help = "take over what is importable; without it nothing is changed"};
inline constexpr std::array kImportOptions{kImportApply};

inline constexpr std::array kImportFields{
    JsonField{"kind", "which records: the second word of the command"},
    JsonField{"source", "what was looked at, absolute"},
    JsonField{"applied", "false without --apply: nothing was changed"},
    JsonField{"records",
              "of each record `name`, `source`, `verdict`, `reason`, `detail`, `pid`, `as` and "
              "`rows`"},
    JsonField{"counts", "how many records have each verdict"},
};

inline constexpr std::array kImportExits{
    ExitNote{ExitCode::kDone, "everything there is importable, imported, or was before"},
    ExitNote{ExitCode::kCorrupt, "a record cannot be read; the others were dealt with"},
    ExitNote{ExitCode::kNo, "there is no such record, file or directory"},
    ExitNote{ExitCode::kCannotTell, "whether somebody has a record cannot be told; it was left"},
    ExitNote{ExitCode::kRefused, "a record is held, or a link; it was left"},
};

std::vector<Block> import_manual();

}  // namespace holdfast::cli
