// SPDX-License-Identifier: Apache-2.0
#include "cli/journal/journal_options.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cli/frame/command_line.h"
#include "cli/frame/user_file.h"
#include "cli/output/moment.h"
#include "format/journal/event_type.h"
#include "format/text/rfc3339.h"
#include "os/stream/stdio.h"

namespace holdfast::cli {
namespace {

std::int64_t to_us(WallTime time) {
  return std::chrono::floor<std::chrono::microseconds>(time.time_since_epoch()).count();
}

Result<std::optional<std::int64_t>> moment_of(const Args& args, std::string_view option,
                                              WallTime now) {
  const auto text = args.text(option);
  if (!text) return std::nullopt;
  return to_us(HF_TRY(parse_moment(option, *text, now)));
}

Result<> journal_options_check_order(const Args& args, const journal::Filter& filter) {
  if (!filter.since_us || !filter.until_us || *filter.since_us < *filter.until_us) return {};
  return fail(usage_error("bad-value", "use the value of --until", "'" + *args.text("until") + "'",
                          "no time lies between --since " + *args.text("since") + " and that"));
}

Result<> check_type_option(std::string_view glob) {
  if (glob.starts_with(kOwnTypePrefix) || glob.find_first_of("*?") != glob.npos) return {};
  if (find_event_type(glob) != nullptr) return {};
  std::vector<std::string_view> names;
  for (const EventType& type : event_types()) names.push_back(type.name);
  const auto guess = nearest(glob, names);
  return fail(usage_error(
      "unknown-type", "use the value of --type", "'" + std::string(glob) + "'",
      "there is no such type" +
          (guess
               ? "; did you mean " + std::string(*guess) + "?"
               : std::string("; see `holdfast help events`, or ask by a pattern such as lock.*"))));
}

}  // namespace

Result<journal::Filter> filter_of(const Args& args, Times times, WallTime now) {
  journal::Filter filter;
  filter.types = args.texts("type");
  for (const std::string& glob : filter.types) HF_TRY(check_type_option(glob));
  for (const std::string& text : args.texts("where")) {
    filter.where.push_back(HF_TRY(journal::parse_where(text)));
  }
  if (const auto word = args.text("class")) filter.event_class = parse_event_class(*word);
  filter.since_us = HF_TRY(moment_of(args, "since", now));
  if (times == Times::kSinceAndUntil) filter.until_us = HF_TRY(moment_of(args, "until", now));
  HF_TRY(journal_options_check_order(args, filter));
  return filter;
}

namespace {

Result<std::string> text_of(const std::optional<std::string>& option) {
  if (option && option->starts_with('@')) {
    return read_user_file(option->substr(1), kMaxEventDataBytes);
  }
  if (option && *option != "-") return *option;
  if (!option && os::is_terminal(os::Stream::kIn)) return std::string();
  return os::read_stdin(kMaxEventDataBytes);
}

}  // namespace

Result<EventData> read_event_data(const std::optional<std::string>& option) {
  const std::string text = HF_TRY(text_of(option));
  if (text.find_first_not_of(" \t\r\n") == text.npos) return EventData();
  return parse_event_data(text);
}

}  // namespace holdfast::cli
