// SPDX-License-Identifier: Apache-2.0
#include "journal/read/filter.h"

#include <algorithm>
#include <array>
#include <utility>

namespace holdfast::journal {
namespace {

using FilterRoot = FieldPath::Root;
constexpr std::array<std::pair<std::string_view, FilterRoot>, 5> kRoots{
    {{"type", FilterRoot::kType},
     {"class", FilterRoot::kClass},
     {"writer", FilterRoot::kWriter},
     {"boot", FilterRoot::kBoot},
     {"seq", FilterRoot::kSeq}}};
constexpr std::string_view kData = "data.";

std::unexpected<Error> usage(std::string_view op, std::string_view subject, std::string_view cause,
                             std::string_view detail) {
  return fail({.code = ErrorCode::kUsage,
               .op = std::string(op),
               .subject = std::string(subject),
               .cause = std::string(cause),
               .detail = std::string(detail)});
}

}  // namespace

Result<FieldPath> parse_field_path(std::string_view text) {
  for (const auto& [name, root] : kRoots) {
    if (text == name) return FieldPath{.root = root};
  }
  FieldPath path;
  std::string_view rest = text;
  if (rest.starts_with(kData)) rest.remove_prefix(kData.size());
  for (;;) {
    const std::size_t dot = rest.find('.');
    path.keys.emplace_back(rest.substr(0, dot));
    if (dot == std::string_view::npos) break;
    rest.remove_prefix(dot + 1);
  }
  if (text == "data" || std::ranges::any_of(path.keys, &std::string::empty)) {
    return usage("read the path", text, "bad-path",
                 "a path is type, class, writer, boot, seq, or a KEY of the data");
  }
  return path;
}

Result<Where> parse_where(std::string_view text) {
  const std::size_t equal = text.find('=');
  if (equal == std::string_view::npos) {
    return usage("read the condition", text, "bad-where", "it is PATH=VALUE or PATH!=VALUE");
  }
  const bool negated = equal > 0 && text[equal - 1] == '!';
  Where where{.path = HF_TRY(parse_field_path(text.substr(0, equal - (negated ? 1 : 0)))),
              .test = negated ? Where::Test::kNotEqual : Where::Test::kEqual,
              .value = std::string(text.substr(equal + 1))};
  return where;
}

bool glob_match(std::string_view glob, std::string_view text) {
  // Where the last star stands, and how much of the text it has taken.
  std::size_t star = std::string_view::npos;
  std::size_t taken = 0;
  std::size_t g = 0;
  std::size_t t = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      taken = t;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
      ++g;
      ++t;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

bool type_passes(const Filter& filter, std::string_view type) {
  return filter.types.empty() || std::ranges::any_of(filter.types, [&](const std::string& glob) {
           return glob_match(glob, type);
         });
}

bool time_passes(const Filter& filter, std::int64_t wall_us) {
  return (!filter.since_us || wall_us >= *filter.since_us) &&
         (!filter.until_us || wall_us < *filter.until_us);
}

}  // namespace holdfast::journal
