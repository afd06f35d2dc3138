// SPDX-License-Identifier: Apache-2.0
//
// Error: what was tried, on what, why it failed, and what state is left.
//
// Codes are chosen by what the caller should do next, not by where the failure arose; kErrorCodes
// says it for each. Details that a program may branch on go into `cause`, a stable lower-case word
// (an errno name such as `enospc`, or one of holdfast's own such as `home-is-link`); nobody parses
// `detail`.
//
// Answers are not errors: "held by another", "not there", "dead" are values of the call that asked.
// An Error means that the question could not be answered or the act was not done.
//
// "Cannot tell" is a code of its own (kCannotTell) and never folds into kNotFound: promise 1.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/exit_code.h"

namespace holdfast {

enum class ErrorCode : std::uint8_t {
  kUsage,
  kCorrupt,
  kNotFound,
  kCannotTell,
  kInternal,
  kOsRefused,
  kIo,
  kNotDurable,
  kBusy,
  kRefused,
  kConfig,
};

struct ErrorCodeInfo {
  ErrorCode code;
  std::string_view name;
  ExitCode exit;
  std::string_view caller_should;
};

inline constexpr std::array kErrorCodes{
    ErrorCodeInfo{ErrorCode::kUsage, "usage", ExitCode::kUsage, "correct the call"},
    ErrorCodeInfo{ErrorCode::kCorrupt, "corrupt", ExitCode::kCorrupt,
                  "leave the thing as it is and show it to a person; never treat it as empty"},
    ErrorCodeInfo{ErrorCode::kNotFound, "not-found", ExitCode::kNo,
                  "create the thing, or correct its name"},
    ErrorCodeInfo{ErrorCode::kCannotTell, "cannot-tell", ExitCode::kCannotTell,
                  "do nothing that needs a yes; ask again when the cause is gone"},
    ErrorCodeInfo{ErrorCode::kInternal, "internal", ExitCode::kInternal, "report a bug"},
    ErrorCodeInfo{ErrorCode::kOsRefused, "os-refused", ExitCode::kOsRefused,
                  "change rights or limits, then retry"},
    ErrorCodeInfo{ErrorCode::kIo, "io", ExitCode::kIo,
                  "free space or mend the device, then retry; the target is unchanged"},
    ErrorCodeInfo{ErrorCode::kNotDurable, "not-durable", ExitCode::kNotDurable,
                  "take the act as done, but not as surviving a power cut"},
    ErrorCodeInfo{ErrorCode::kBusy, "busy", ExitCode::kBusy, "retry later"},
    ErrorCodeInfo{ErrorCode::kRefused, "refused", ExitCode::kRefused,
                  "do not retry until the named hazard is removed"},
    ErrorCodeInfo{ErrorCode::kConfig, "config", ExitCode::kConfig, "correct the configuration"},
};

constexpr const ErrorCodeInfo& info(ErrorCode code) {
  return kErrorCodes[static_cast<std::size_t>(code)];
}

struct [[nodiscard]] Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string op{};       // what was tried, as a verb phrase: "open the home"
  std::string subject{};  // on what: a path, a name, an option; empty where there is none
  std::string cause{};    // a stable word for programs: "enospc", "home-is-link"
  std::string detail{};   // why, and what state is left, for people
  int os_code = 0;        // errno or GetLastError(), 0 where the system was not at fault

  bool operator==(const Error&) const = default;
};

// The same failure, met after the act was done: it stands, but a power cut may still take it.
Error not_durable(Error error);

// The sentence shown to people: `cannot OP SUBJECT: DETAIL`. It has no trailing newline, and bytes
// that could control a terminal are escaped.
std::string to_sentence(const Error& error);

}  // namespace holdfast
