// SPDX-License-Identifier: Apache-2.0
//
// The exit codes of the holdfast program: one enumeration, one table.
//
// Guarantee: every code that holdfast itself can answer is an enumerator here and has exactly one
// row in kExitCodes; exit_code_test.cc fails otherwise. The manual (`holdfast help exit-codes`),
// the man pages and docs/ are rendered from this table, so they cannot disagree with the program.
//
// 1 and 2 are deliberately absent: shells, hook hosts and test runners give them meanings of their
// own.
//
// Wrappers (`run`, `lock`, …) pass the wrapped command's own code through. A caller that must tell
// "the command said 75" from "holdfast said 75" reads `--status-fd`.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace holdfast {

enum class ExitCode : std::uint8_t {
  kDone = 0,
  kUsage = 64,
  kCorrupt = 65,
  kNo = 66,
  kCannotTell = 69,
  kInternal = 70,
  kOsRefused = 71,
  kSurvivors = 72,
  kNotDurable = 73,
  kIo = 74,
  kBusy = 75,
  kUnproven = 76,
  kRefused = 77,
  kConfig = 78,
  kDeadline = 124,
  kWrapperFailed = 125,
  kNotExecutable = 126,
  kCommandNotFound = 127,
};

struct ExitCodeInfo {
  ExitCode code;
  std::string_view name;     // stable, lower case, for documents
  std::string_view meaning;  // one sentence for people
};

inline constexpr std::array kExitCodes{
    ExitCodeInfo{ExitCode::kDone, "done", "done; the answer is yes"},
    ExitCodeInfo{ExitCode::kUsage, "usage", "the command line is wrong; nothing was done"},
    ExitCodeInfo{ExitCode::kCorrupt, "corrupt",
                 "corrupt or refused content (malformed record, invalid JSON, failed producer); "
                 "nothing changed"},
    ExitCodeInfo{ExitCode::kNo, "no", "no such thing; the answer is no; already gone"},
    ExitCodeInfo{ExitCode::kCannotTell, "cannot-tell",
                 "cannot tell (probe failed, newer format, foreign namespace, unproven tree); "
                 "nothing done"},
    ExitCodeInfo{ExitCode::kInternal, "internal", "internal fault of holdfast"},
    ExitCodeInfo{ExitCode::kOsRefused, "os-refused",
                 "the operating system refused (not permitted)"},
    ExitCodeInfo{ExitCode::kSurvivors, "survivors",
                 "a kill left something alive; the output names it"},
    ExitCodeInfo{ExitCode::kNotDurable, "not-durable",
                 "committed, but durability is unknown (the directory could not be synced)"},
    ExitCodeInfo{
        ExitCode::kIo, "io",
        "input/output error; the target is unchanged, unless only the answer could not be written"},
    ExitCodeInfo{ExitCode::kBusy, "busy", "busy: not acquired in time"},
    ExitCodeInfo{ExitCode::kUnproven, "unproven",
                 "ran, but not proven: unverified outcome, or the lease was lost while running"},
    ExitCodeInfo{ExitCode::kRefused, "refused",
                 "refused: not the owner, identity mismatch, unsafe path, brake"},
    ExitCodeInfo{ExitCode::kConfig, "config", "configuration error"},
    ExitCodeInfo{ExitCode::kDeadline, "deadline",
                 "wrappers: the deadline fired (also when KILL was needed); until: time-out"},
    ExitCodeInfo{ExitCode::kWrapperFailed, "wrapper-failed",
                 "wrappers: holdfast itself failed before the command ran"},
    ExitCodeInfo{ExitCode::kNotExecutable, "not-executable",
                 "wrappers: the command was found but cannot be executed"},
    ExitCodeInfo{ExitCode::kCommandNotFound, "command-not-found",
                 "wrappers: the command was not found"},
};

// What a wrapper exits with when its command died of signal `n`.
inline constexpr int exit_status_of_signal(int n) { return 128 + n; }

inline constexpr int to_int(ExitCode code) { return static_cast<int>(code); }

}  // namespace holdfast
