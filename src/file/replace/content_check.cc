// SPDX-License-Identifier: Apache-2.0
#include "file/replace/content_check.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/printable.h"
#include "format/text/toml.h"

namespace holdfast::file {

Result<> check_utf8(const os::File& file, std::uint64_t size) {
  constexpr std::size_t kLongest = 4;
  std::array<char, 65536> buffer;
  std::size_t carried = 0;  // the beginning of a sequence that the last read cut
  for (std::uint64_t offset = 0;;) {
    const auto wanted = std::min<std::uint64_t>(size - offset, buffer.size() - carried);
    const std::size_t got =
        HF_TRY(file.read_into(offset, std::span(buffer).subspan(carried, wanted)));
    const bool last = got < wanted || offset + got == size;
    std::string_view text(buffer.data(), carried + got);
    while (!text.empty()) {
      const std::size_t length = utf8_sequence_length(text);
      if (length == 0 && text.size() < kLongest && !last) break;
      if (length == 0) {
        return fail({.code = ErrorCode::kCorrupt,
                     .op = "accept",
                     .subject = file.path(),
                     .cause = "check-utf8",
                     .detail = "it is not UTF-8: a bad sequence begins at byte " +
                               std::to_string(offset + got - text.size())});
      }
      text.remove_prefix(length);
    }
    if (last) return {};
    std::copy(text.begin(), text.end(), buffer.begin());
    carried = text.size();
    offset += got;
  }
}

Result<> check_toml(const os::File& file, std::uint64_t size) {
  const auto refused = [&](std::string detail) {
    return fail({.code = ErrorCode::kCorrupt,
                 .op = "accept",
                 .subject = file.path(),
                 .cause = "check-toml",
                 .detail = std::move(detail)});
  };
  if (size > kMaxTomlBytes) return refused("a TOML file may have 16 MiB at most");
  const std::string text = HF_TRY(file.read_at(0, static_cast<std::size_t>(size)));
  const auto table = parse_toml(text, "line ");
  if (table) return {};
  std::string where = table.error().subject;
  where.erase(where.find(':'), 1);
  return refused("it is not TOML: " + where + ": " + table.error().detail);
}

std::optional<Check> built_in_check(std::string_view word) {
  struct Row {
    std::string_view word;
    Result<> (*check)(const os::File&, std::uint64_t);
  };
  constexpr std::array kRows{Row{"json", check_json}, Row{"jsonl", check_jsonl},
                             Row{"toml", check_toml}, Row{"utf8", check_utf8}};
  const auto* row = std::find_if(kRows.begin(), kRows.end(),
                                 [&](const Row& candidate) { return candidate.word == word; });
  if (row == kRows.end()) return std::nullopt;
  return Check{.name = std::string(word), .examine = row->check};
}

}  // namespace holdfast::file
