// SPDX-License-Identifier: Apache-2.0
#include "run/lock/fail_open.h"

#include <algorithm>
#include <array>

#include "base/cause.h"
#include "format/text/rfc3339.h"

namespace holdfast::run {
namespace {

constexpr std::array<std::string_view, 11> kFailOpenReasons{
    "timeout", "guard-timeout", "unknown", "eacces",         "erofs",        "enospc",
    "eio",     "emfile",        "enolck",  "unsupported-fs", "backend-down",
};

EventData holder_data(const lock::HolderView& holder) {
  EventData data;
  if (holder.pid) data.number("pid", *holder.pid);
  if (!holder.host.empty()) data.text("host", holder.host);
  if (holder.since) data.text("since", format_rfc3339(*holder.since));
  if (!holder.reason.empty()) data.text("reason", holder.reason);
  if (!holder.command.empty()) data.text("command", holder.command);
  return data;
}

}  // namespace

std::expected<FailOpenReasons, std::string_view> parse_fail_open(std::string_view text) {
  FailOpenReasons reasons;
  for (;;) {
    const std::size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    if (word == "any") {
      reasons.insert(kFailOpenReasons.begin(), kFailOpenReasons.end());
    } else if (std::ranges::find(kFailOpenReasons, word) == kFailOpenReasons.end()) {
      return std::unexpected(word);
    }
    reasons.emplace(word);
    if (comma == text.npos) return reasons;
    text.remove_prefix(comma + 1);
  }
}

std::optional<std::string_view> fail_open_reason(const Error& error) {
  if (error.cause == cause::kEperm) return "eacces";
  if (error.cause == cause::kEdquot) return "enospc";
  if (error.cause == cause::kEnfile) return "emfile";
  if (error.code == ErrorCode::kCannotTell) return "unknown";
  const auto* const found = std::ranges::find(kFailOpenReasons, error.cause);
  if (found == kFailOpenReasons.end()) return std::nullopt;
  return *found;
}

Result<> record_fail_open(EventSink& events, const FailOpenFacts& facts) {
  EventData data;
  data.text("lock", facts.lock).text("reason", facts.reason);
  data.number("waited_ms",
              std::chrono::duration_cast<std::chrono::milliseconds>(facts.waited).count());
  if (facts.holder != nullptr) data.object("holder", holder_data(*facts.holder));
  HF_TRY(events.record({.type = "lock.fail_open", .data = std::move(data)}));
  return {};
}

}  // namespace holdfast::run
