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
#include "journal/read/query.h"
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

// The fields of the table's events that can pass, once each.
std::vector<std::string_view> fields_of_table(const journal::Filter& filter) {
  std::vector<std::string_view> names;
  for (const EventType& type : event_types()) {
    if (!journal::type_passes(filter, type.name)) continue;
    for (const EventField& field : type.fields) names.push_back(field.name);
  }
  std::ranges::sort(names);
  const auto doubles = std::ranges::unique(names);
  names.erase(doubles.begin(), doubles.end());
  return names;
}

// True also where nobody can tell.
bool may_be_in_journal(const std::optional<os::Dir>& journal, const journal::Filter& filter,
                       const std::string& key) {
  if (!journal) return false;
  bool found = false;
  const std::vector<std::string> path{key};
  journal::QueryRequest request;
  request.filter.types = filter.types;
  const auto seen = journal::with_snapshot(*journal, [&](const journal::Snapshot& snapshot) {
    return journal::query(snapshot, request, [&](const journal::QueriedRecord& record) {
      const auto value = journal::read_field(record.data, path);
      found = !value || value->has_value();
      return Result<os::Visit>(found ? os::Visit::kStop : os::Visit::kContinue);
    });
  });
  return found || !seen || !seen->damaged.empty();
}

// `type`, … are of every event, and so are the groups that are no fields.
std::optional<std::string> key_of_data(std::string_view typed) {
  if (typed == "day" || typed == "hour") return std::nullopt;
  auto path = journal::parse_field_path(typed);
  if (!path || path->root != journal::FieldPath::Root::kData) return std::nullopt;
  return std::move(path->keys.front());
}

}  // namespace

Result<> check_fields(Context& context, const std::optional<os::Dir>& journal,
                      const journal::Filter& filter, const std::vector<std::string>& where,
                      const std::vector<std::string>& by, UnknownField unknown) {
  std::vector<std::string> typed = by;
  for (const std::string& text : where) {
    std::string path = text.substr(0, text.find('='));
    if (path.ends_with('!')) path.pop_back();
    typed.push_back(std::move(path));
  }
  const std::vector<std::string_view> known = fields_of_table(filter);
  for (const std::string& path : typed) {
    const auto key = key_of_data(path);
    if (!key || std::ranges::binary_search(known, std::string_view(*key))) continue;
    if (may_be_in_journal(journal, filter, *key)) continue;
    std::vector<std::string_view> names = known;
    names.insert(names.end(), {"type", "class", "writer", "boot", "seq"});
    const auto guess = nearest(*key, names);
    const std::string why = "no event has a field '" + *key + "'" +
                            (guess ? "; did you mean " + std::string(*guess) + "?"
                                   : "; `holdfast help events` lists them");
    if (unknown == UnknownField::kRefuse && !path.starts_with("data.")) {
      return fail(usage_error("unknown-field", "ask for the field", "'" + path + "'", why));
    }
    context.note(why);
  }
  return {};
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
