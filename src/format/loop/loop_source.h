// SPDX-License-Identifier: Apache-2.0
//
// What the source of a loop printed, as items. Pure.
//
// It is an object on each line, or one array of objects, as `gh issue list --json number,title`
// prints it: an output whose first byte is `[` is an array. Its elements count as lines do, and each
// becomes one line; it ends with its bracket.
//
// The answer is all or nothing: a line that is no JSON object, an id that is missing, empty, longer
// than kMaxItemId, not UTF-8, with a NUL byte or neither text nor a whole number, an id that comes
// twice, a last line without its end (it was cut) or more than kMaxItems make it kCannotTell,
// `bad-source`, with the line: a part of a list must never pass for the list. Empty lines are
// allowed; no output at all is an empty list.
//
// Order: by priority, then as printed; of a list the best element counts. A filter on a field that
// an item has not does not match it; of a list in an item one element that matches is enough, and
// `labels.name` means the `name` of each of the `labels`.
//
// Placeholders: `{field}` and `{a.b}` are replaced by the field's text, number or boolean; a field
// that is missing, null, a list or an object, or whose text holds a NUL byte is kCannotTell
// `no-such-field`: a command with a hole in it is not run. `{{` and `}}` are braces.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "format/loop/loop_file.h"

namespace holdfast {

inline constexpr std::size_t kMaxItems = 1'000'000;
inline constexpr std::size_t kMaxItemId = 64;  // bytes; it becomes a part of names

struct SourceItem {
  std::string id{};
  std::string json{};  // the line, as it was printed; of an array an element without blanks between
                       // its parts; of a NUL-separated id {"id":"…"}
};

struct SourceItems {
  std::vector<SourceItem> items{};  // that passed the filters, best first
  std::size_t listed = 0;           // all that were printed
};

Result<SourceItems> parse_source(std::string_view bytes, const LoopFile& file);

// The words of `command` for one item. A line (is_line) is taken as it is. kCannotTell.
Result<std::vector<std::string>> fill_command(const LoopCommand& command,
                                              std::string_view item_json);
// The same for one text with placeholders, e.g. the session's name.
Result<std::string> fill_text(std::string_view text, std::string_view item_json);

// Fields of one item of a loop, a JSON object that was proven to be one.
//
// A path is the names of nested fields, as split_field gives them. On the way through a list a name
// that counts (`0`) means that element. For item_words any other name means that field of every
// element: of {"labels":[{"name":"a"},{"name":"b"}]} the path labels.name has the words a and b.

// The text, number or boolean there, as it would be typed; a number keeps its spelling. nullopt:
// missing, null, a list or an object.
std::optional<std::string> item_scalar(std::string_view item, std::span<const std::string> path);

// The same, of a text or a whole number only.
std::optional<std::string> item_id(std::string_view item, std::span<const std::string> path);

// All of them, where there is a list.
std::vector<std::string> item_words(std::string_view item, std::span<const std::string> path);

}  // namespace holdfast
