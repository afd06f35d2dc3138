// SPDX-License-Identifier: Apache-2.0
#include "format/file/ledger_query.h"

#include <algorithm>

#include "format/file/ledger_time.h"
#include "format/json/json_span.h"

namespace holdfast {
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
