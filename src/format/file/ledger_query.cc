// SPDX-License-Identifier: Apache-2.0
#include "format/file/ledger_query.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "format/json/json_span.h"
#include "format/text/rfc3339.h"

namespace holdfast {
namespace {

using namespace std::chrono;

constexpr std::string_view kLedgerTimeDigits = "0123456789";

// "+02:00" or "Z"; what is added to UTC.
std::optional<minutes> parse_offset(std::string_view text) {
  if (text == "Z" || text == "z") return minutes(0);
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return std::nullopt;
  const std::array digits{text[1], text[2], text[4], text[5]};
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
  }
  const int h = (digits[0] - '0') * 10 + (digits[1] - '0');
  const int m = (digits[2] - '0') * 10 + (digits[3] - '0');
  if (h > 23 || m > 59) return std::nullopt;
  return minutes((h * 60 + m) * (text[0] == '-' ? -1 : 1));
}

// The digits behind the point; finer ones than nanoseconds are cut off.
nanoseconds parse_fraction(std::string_view digits) {
  std::string nine(digits.substr(0, 9));
  nine.resize(9, '0');
  std::int64_t value = 0;
  std::from_chars(nine.data(), nine.data() + nine.size(), value);
  return nanoseconds(value);
}

std::optional<WallTime> parse_text(std::string text) {
  constexpr std::size_t kSecondsEnd = 19;  // 2026-11-15T07:46:00
  if (text.size() <= kSecondsEnd) return std::nullopt;
  if (text[10] == 't' || text[10] == ' ') text[10] = 'T';
  // The strict parser reads all but the fraction and the offset.
  const auto whole = parse_rfc3339(text.substr(0, kSecondsEnd) + ".000Z");
  if (!whole) return std::nullopt;
  std::string_view rest = std::string_view(text).substr(kSecondsEnd);
  nanoseconds fraction(0);
  if (rest.starts_with('.')) {
    const std::size_t end = std::min(rest.find_first_not_of(kLedgerTimeDigits, 1), rest.size());
    if (end == 1) return std::nullopt;
    fraction = parse_fraction(rest.substr(1, end - 1));
    rest.remove_prefix(end);
  }
  const auto offset = parse_offset(rest);
  if (!offset) return std::nullopt;
  return *whole + fraction - *offset;
}

std::optional<WallTime> ledger_time_parse_number(std::string_view text) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr double kFirstMilliseconds = 1e11;
  constexpr double kFirstMicroseconds = 1e14;
  if (fault != std::errc() || end != text.data() + text.size() || !(value >= 0) ||
      value > kFirstMicroseconds) {
    return std::nullopt;
  }
  const double ns = value > kFirstMilliseconds ? value * 1e6 : value * 1e9;
  // The year 2261, as for texts; also keeps the conversion from overflowing.
  if (ns > 9.2e18) return std::nullopt;
  return WallTime(nanoseconds(static_cast<std::int64_t>(ns)));
}

}  // namespace

std::optional<WallTime> parse_ledger_time(std::string_view value) {
  if (value.starts_with('"')) return parse_text(json_value_text(value));
  if (value.empty() || !kLedgerTimeDigits.contains(value.front())) return std::nullopt;
  return ledger_time_parse_number(value);
}

namespace {

using Verdict = LedgerAnswer::Verdict;

std::unexpected<Error> usage(std::string_view op, std::string_view subject, std::string_view cause,
                             std::string_view detail) {
  return fail({.code = ErrorCode::kUsage,
               .op = std::string(op),
               .subject = "'" + std::string(subject) + "'",
               .cause = std::string(cause),
               .detail = std::string(detail)});
}

bool holds(const LedgerWhere& where, std::string_view entry) {
  const auto value = find_json_value(entry, where.path);
  return (value && json_value_text(*value) == where.value) == where.equal;
}

}  // namespace

Result<std::vector<std::string>> parse_ledger_path(std::string_view text) {
  std::vector<std::string> keys;
  for (std::string_view rest = text;;) {
    const std::size_t dot = rest.find('.');
    keys.emplace_back(rest.substr(0, dot));
    if (keys.back().empty()) {
      return usage("read the field", text, "bad-path", "a field is KEY or KEY.KEY");
    }
    if (dot == std::string_view::npos) return keys;
    rest.remove_prefix(dot + 1);
  }
}

Result<LedgerWhere> parse_ledger_where(std::string_view text) {
  const std::size_t equal = text.find('=');
  if (equal == std::string_view::npos) {
    return usage("read the condition", text, "bad-where", "it is FIELD=VALUE or FIELD!=VALUE");
  }
  const bool negated = equal > 0 && text[equal - 1] == '!';
  LedgerWhere where{.path = HF_TRY(parse_ledger_path(text.substr(0, equal - (negated ? 1 : 0)))),
                    .equal = !negated,
                    .value = std::string(text.substr(equal + 1))};
  return where;
}

TimedEntry timed_entry(const LedgerText& ledger, std::size_t number,
                       const std::vector<std::string>& time_field, WallTime now) {
  TimedEntry entry{.number = number, .time = {}};
  const auto value = find_json_value(ledger.entries[number].text, time_field);
  if (!value) return entry;
  entry.time = parse_ledger_time(*value);
  if (!entry.time) {
    entry.state = EntryTime::kUnreadable;
    return entry;
  }
  entry.state = is_future(*entry.time, now) ? EntryTime::kFuture : EntryTime::kKnown;
  entry.age = std::max(now - *entry.time, Duration(0));
  return entry;
}

LedgerAnswer last_in_ledger(const LedgerText& ledger, const LedgerQuestion& question) {
  LedgerAnswer doubt;
  for (std::size_t i = ledger.entries.size(); i-- > 0;) {
    const std::string_view text = ledger.entries[i].text;
    if (!std::ranges::all_of(question.where,
                             [&](const auto& where) { return holds(where, text); })) {
      continue;
    }
    const TimedEntry entry = timed_entry(ledger, i, question.time_field, question.now);
    const bool honest = entry.state == EntryTime::kKnown;
    if (!question.within || (honest && entry.age <= *question.within)) {
      return {.verdict = Verdict::kFound, .entry = entry};
    }
    if (!honest && !doubt.entry) doubt = {.verdict = Verdict::kCannotTell, .entry = entry};
  }
  return doubt;
}

}  // namespace holdfast
