// SPDX-License-Identifier: Apache-2.0
//
// Four lines, the waits for a lock and for the name, the chain and the note of a guard, and behind them a session's record:
// its codec knows every part of what is to be run.
#include "run/session/hosted_order.h"

#include <charconv>
#include <optional>

namespace holdfast::run {
namespace {

constexpr std::string_view kSubject = "the order of a detached run";

std::unexpected<Error> bad_order() {
  return fail({.code = ErrorCode::kCannotTell,
               .op = "read",
               .subject = std::string(kSubject),
               .cause = "bad-order",
               .detail = "it cannot be understood; nothing was started"});
}

// Cuts off a line; nullopt: there is none.
std::optional<std::string_view> next_line(std::string_view& bytes) {
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = bytes.substr(0, end);
  bytes.remove_prefix(end + 1);
  return line;
}

std::optional<Duration> duration_line(std::string_view& bytes) {
  const auto line = next_line(bytes);
  std::int64_t ns = 0;
  if (!line) return std::nullopt;
  const auto [end, bad] = std::from_chars(line->data(), line->data() + line->size(), ns);
  if (bad != std::errc() || end != line->data() + line->size() || ns < 0) return std::nullopt;
  return Duration(ns);
}

}  // namespace

std::string encode_hosted_order(const RunOrder& order, const LockChain& chain,
                                std::string_view guard) {
  SessionRecord record;
  record.name = order.name.value_or("");
  record.run = order.run;
  record.order = order.what;
  record.supervisor.pid = 1;  // nobody yet
  std::string bytes = std::to_string(order.lock_wait.count()) + "\n" +
                      std::to_string(order.name_wait.count()) + "\n" + encode_chain(chain) + "\n";
  bytes.append(guard).append("\n").append(encode_session_record(record));
  return bytes;
}

Result<HostedOrder> decode_hosted_order(std::string_view bytes) {
  const auto wait = duration_line(bytes);
  const auto name_wait = duration_line(bytes);
  const auto chain = next_line(bytes);
  const auto guard = next_line(bytes);
  if (!wait || !name_wait || !chain || !guard) return bad_order();
  HostedOrder decoded;
  decoded.guard = std::string(*guard);
  if (!chain->empty()) decoded.chain = HF_TRY(decode_chain(*chain));
  SessionRecord record = HF_TRY(decode_session_record(bytes, kSubject));
  decoded.order.name = std::move(record.name);
  decoded.order.run = record.run;
  decoded.order.what = std::move(record.order);
  decoded.order.ground = Ground::kBack;
  decoded.order.lock_wait = *wait;
  decoded.order.name_wait = *name_wait;
  return decoded;
}

}  // namespace holdfast::run
