// SPDX-License-Identifier: Apache-2.0
//
// poll_until: asks a command again and again until its exit code is an answer, or time is up.
//
//   pass       the thing is so
//   fail       it will never be so
//   not yet    it is not so now, definitely
//   anything   nobody can tell: another code, a signal, a try that was cut off by the deadline.
//   else       Asked again like "not yet", but never taken for it
//
// Guarantees: the deadline is on the boot clock and is always there. Each try is a supervised tree
// (supervise/pipeline.h) that is over, all of it, before the next one begins, and whose own time is
// what is left. At least one try is made. Nothing is recorded.
//
// Errors: of supervise/pipeline.h.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "os/spawn/spawn.h"

namespace holdfast::loop {

inline constexpr Duration kDefaultUntilTimeout = std::chrono::minutes(15);
inline constexpr Duration kDefaultUntilEvery = std::chrono::seconds(5);

// Exit codes, 0 to 255.
using CodeSet = std::bitset<256>;
// "0,3,10-20". nullopt: it is no such list.
std::optional<CodeSet> parse_codes(std::string_view text);

struct UntilRequest {
  std::vector<std::string> command{};
  Duration timeout = kDefaultUntilTimeout;
  Duration every = kDefaultUntilEvery;  // between the end of a try and the next one
  Duration grace = std::chrono::seconds(2);
  CodeSet pass{};
  CodeSet fail{};
  CodeSet not_yet{};
  // Between two tries; what it returns is let go before the next one.
  std::function<std::shared_ptr<void>(std::uint64_t tries)> pausing{};
};

struct UntilOutcome {
  enum class Kind : std::uint8_t {
    kPass,
    kFail,
    kTimedOut,    // the last answer was a definite "not yet"
    kCannotTell,  // time is up, and the last answer was none
    kNotStarted,  // `start_failure`
    kAsked,       // to end, by the signal `interrupted`
  };
  Kind kind = Kind::kCannotTell;
  std::uint64_t tries = 0;
  std::optional<int> last_code{};
  std::optional<int> last_signal{};
  Duration waited{};
  std::optional<os::StartFailure> start_failure{};
  std::optional<int> interrupted{};
};

Result<UntilOutcome> poll_until(const Clock& clock, const UntilRequest& request);

}  // namespace holdfast::loop
