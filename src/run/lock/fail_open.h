// SPDX-License-Identifier: Apache-2.0
//
// Failing open: running a command without its lock, for a reason that the user has named.
//
// Guarantee: the event `lock.fail_open` is on stable storage before the command may run. Where it
// cannot be recorded, it fails closed. No reason is allowed by default; `any` is all of them.
// `unknown` is every "cannot tell" (69): whether the holder lives, a newer record.
#pragma once

#include <expected>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "base/event.h"
#include "base/result.h"
#include "lock/grant/backend.h"

namespace holdfast::run {

using FailOpenReasons = std::set<std::string, std::less<>>;

// Reasons, separated by commas; else the first word that is none.
std::expected<FailOpenReasons, std::string_view> parse_fail_open(std::string_view text);

// The reason that an error of a lock is; nothing where it is none of them.
std::optional<std::string_view> fail_open_reason(const Error& error);

struct FailOpenFacts {
  std::string_view lock;
  std::string_view reason;
  Duration waited{};
  const lock::HolderView* holder = nullptr;
};
// Durable when it returns. Errors: the journal's; then the command must not run. The journal may be
// within reach although the locks of the same home are not.
Result<> record_fail_open(EventSink& events, const FailOpenFacts& facts);

}  // namespace holdfast::run
