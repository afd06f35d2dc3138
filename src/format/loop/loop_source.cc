// SPDX-License-Identifier: Apache-2.0
#include "format/loop/loop_source.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "format/json/json.h"
#include "format/json/json_span.h"
#include "format/text/expand.h"

namespace holdfast {
namespace {

using Path = std::vector<std::string>;

std::unexpected<Error> bad_source(const LoopFile& file, const std::string& where,
                                  std::string_view why) {
  return fail({.code = ErrorCode::kCannotTell,
               .op = "read what the source listed for",
               .subject = file.name,
               .cause = "bad-source",
               .detail = where + " " + std::string(why) + "; nothing of the list is used"});
}

// A field of the file that was checked when the file was read.
Path path_of(std::string_view field) {
  auto path = split_field(field);
  return path ? *std::move(path) : Path{};
}

struct Match {
  Path path;
  const std::vector<std::string>& one_of;

  [[nodiscard]] bool holds(std::string_view item) const {
    return std::ranges::any_of(item_words(item, path), [this](const std::string& word) {
      return std::ranges::find(one_of, word) != one_of.end();
    });
  }
};

// Which items pass, and how they are ordered, with the paths taken apart once.
class Choice {
 public:
  explicit Choice(const LoopFile& file) : order_(file.priority_order), id_(path_of(file.id)) {
    for (const LoopMatch& match : file.filter) {
      filter_.push_back({.path = path_of(match.field), .one_of = match.one_of});
    }
    for (const LoopMatch& match : file.exclude) {
      exclude_.push_back({.path = path_of(match.field), .one_of = match.one_of});
    }
    if (file.priority) priority_ = path_of(*file.priority);
  }

  [[nodiscard]] const Path& id() const { return id_; }

  [[nodiscard]] bool passes(std::string_view item) const {
    const auto holds = [item](const Match& match) { return match.holds(item); };
    return std::ranges::all_of(filter_, holds) && std::ranges::none_of(exclude_, holds);
  }

  // Smaller comes first; never NaN.
  [[nodiscard]] double rank(std::string_view item) const {
    double best = std::numeric_limits<double>::infinity();
    if (priority_.empty()) return best;
    for (const std::string& word : item_words(item, priority_)) {
      best = std::min(best, order_.empty() ? -number(word) : place(word));
    }
    return best;
  }

 private:
  [[nodiscard]] double place(const std::string& word) const {
    const auto found = std::ranges::find(order_, word);
    if (found == order_.end()) return std::numeric_limits<double>::infinity();
    return static_cast<double>(found - order_.begin());
  }

  static double number(const std::string& word) {
    double value = 0;
    const char* const end = word.data() + word.size();
    const auto parsed = std::from_chars(word.data(), end, value);
    if (parsed.ec != std::errc{} || parsed.ptr != end || !std::isfinite(value)) {
      return -std::numeric_limits<double>::infinity();
    }
    return value;
  }

  std::vector<Match> filter_;
  std::vector<Match> exclude_;
  Path priority_;
  const std::vector<std::string>& order_;
  Path id_;
};

struct Listed {
  std::string id{};
  std::string_view json{};  // empty: it did not pass
  double rank = 0;
};

std::string_view why_bad_id(std::string_view id) {
  if (id.empty()) return "has an empty id";
  if (id.size() > kMaxItemId) return "has an id of more than 64 bytes";
  if (id.find('\0') != id.npos) return "has an id with a NUL byte";
  return "";
}

// The end of an entry, or npos where the output stops before it.
std::size_t entry_end(std::string_view bytes, std::size_t at, const LoopFile& file) {
  return bytes.find(file.source_is_nul ? '\0' : '\n', at);
}

// `text` is one JSON value.
Result<Listed> read_item(std::string_view text, const std::string& where, const LoopFile& file,
                         const Choice& choice) {
  const std::string_view item = text.substr(skip_json_blanks(text, 0));
  if (!item.starts_with('{')) return bad_source(file, where, "is no JSON object");
  Listed listed{.id = item_id(item, choice.id()).value_or("")};
  if (listed.id.empty()) {
    return bad_source(file, where, "has no id: `" + file.id + "` must be a text or a whole number");
  }
  if (const auto why = why_bad_id(listed.id); !why.empty()) return bad_source(file, where, why);
  if (choice.passes(item)) {
    listed.json = text;
    listed.rank = choice.rank(item);
  }
  return listed;
}

Result<std::optional<Listed>> read_line(std::string_view line, const std::string& where,
                                        const LoopFile& file, const Choice& choice) {
  if (line.find_first_not_of(" \t\r") == line.npos) return std::nullopt;
  if (const auto fault = find_json_fault(line, JsonKeys::kOnce)) {
    return bad_source(file, where, "is no usable JSON: " + fault->detail);
  }
  return HF_TRY(read_item(line, where, file, choice));
}

// An id alone, which a filter and a priority see as the field `id`.
std::string json_of(std::string_view id) {
  std::string json = R"({"id":)";
  append_json_bytes(json, id);
  return json + "}";
}

Result<std::optional<Listed>> read_id(std::string_view id, const std::string& where,
                                      const LoopFile& file, const Choice& choice) {
  if (const auto why = why_bad_id(id); !why.empty()) return bad_source(file, where, why);
  const std::string json = json_of(id);
  if (item_id(json, choice.id()) != id) return bad_source(file, where, "is not UTF-8");
  Listed listed{.id = std::string(id)};
  if (choice.passes(json)) {
    listed.json = id;
    listed.rank = choice.rank(json);
  }
  return listed;
}

// Nothing where all ids differ; else what comes twice.
std::optional<std::string> find_twice(const std::vector<Listed>& all) {
  std::vector<std::string_view> ids;
  ids.reserve(all.size());
  for (const Listed& one : all) ids.push_back(one.id);
  std::ranges::sort(ids);
  const auto twice = std::ranges::adjacent_find(ids);
  if (twice == ids.end()) return std::nullopt;
  return std::string(*twice);
}

}  // namespace

namespace {

// One for each line, or for each id that ends in a NUL byte.
Result<std::vector<Listed>> read_entries(std::string_view bytes, const LoopFile& file,
                                         const Choice& choice) {
  std::vector<Listed> all;
  std::size_t number = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::string where = (file.source_is_nul ? "id " : "line ") + std::to_string(++number);
    const std::size_t end = entry_end(bytes, at, file);
    if (end == bytes.npos) return bad_source(file, where, "has no end: the output was cut");
    const std::string_view entry = bytes.substr(at, end - at);
    auto listed = HF_TRY(file.source_is_nul ? read_id(entry, where, file, choice)
                                            : read_line(entry, where, file, choice));
    if (listed) all.push_back(*std::move(listed));
    if (all.size() > kMaxItems) return bad_source(file, where, "is more than a list may have");
    at = end + 1;
  }
  return all;
}

// The bracket at its end says that nothing was cut off.
Result<std::vector<Listed>> read_array(std::string_view bytes, const LoopFile& file,
                                       const Choice& choice) {
  if (const auto fault = find_json_fault(bytes, JsonKeys::kOnce)) {
    return bad_source(file, "the array", "is no usable JSON: " + fault->detail);
  }
  std::vector<Listed> all;
  std::size_t at = skip_json_blanks(bytes, bytes.find('[') + 1);
  while (bytes[at] != ']') {
    const std::string where = "element " + std::to_string(all.size() + 1);
    const std::size_t end = json_value_end(bytes, at);
    all.push_back(HF_TRY(read_item(bytes.substr(at, end - at), where, file, choice)));
    if (all.size() > kMaxItems) return bad_source(file, where, "is more than a list may have");
    at = skip_json_blanks(bytes, end);
    if (bytes[at] == ',') at = skip_json_blanks(bytes, at + 1);
  }
  return all;
}

bool is_array(std::string_view bytes, const LoopFile& file) {
  return !file.source_is_nul && bytes.substr(skip_json_blanks(bytes, 0)).starts_with('[');
}

}  // namespace

Result<SourceItems> parse_source(std::string_view bytes, const LoopFile& file) {
  const Choice choice(file);
  const bool array = is_array(bytes, file);
  std::vector<Listed> all =
      HF_TRY(array ? read_array(bytes, file, choice) : read_entries(bytes, file, choice));
  if (const auto twice = find_twice(all)) {
    return fail({.code = ErrorCode::kCannotTell,
                 .op = "read what the source listed for",
                 .subject = file.name,
                 .cause = "bad-source",
                 .detail = "the id '" + *twice + "' comes twice; nothing of the list is used"});
  }
  SourceItems result{.listed = all.size()};
  std::erase_if(all, [](const Listed& one) { return one.json.empty(); });
  // Of equal rank the one that was printed first: entries are views of `bytes`, in its order.
  std::ranges::sort(all, [](const Listed& a, const Listed& b) {
    if (a.rank != b.rank) return a.rank < b.rank;
    return a.json.data() < b.json.data();
  });
  result.items.reserve(all.size());
  for (Listed& one : all) {
    std::string json = file.source_is_nul ? json_of(one.json)
                       : array            ? laid_out(one.json, {})
                                          : std::string(one.json);
    result.items.push_back({.id = std::move(one.id), .json = std::move(json)});
  }
  return result;
}

namespace {

Error no_such_field(const std::string& field, std::string_view why) {
  return {.code = ErrorCode::kCannotTell,
          .op = "fill in the field",
          .subject = field,
          .cause = "no-such-field",
          .detail = std::string(why)};
}

Result<std::string> fill(std::string_view text, std::string_view item) {
  std::string result;
  for (const TextPiece& piece : HF_TRY(split_placeholders(text))) {
    if (!piece.is_field) {
      result += piece.text;
      continue;
    }
    const auto value = item_scalar(item, path_of(piece.text));
    if (!value) {
      return fail(
          no_such_field(piece.text, "the item has no text, number or boolean of this name"));
    }
    if (value->find('\0') != value->npos) {
      return fail(no_such_field(piece.text, "its text holds a NUL byte"));
    }
    result += *value;
  }
  return result;
}

// The item comes from a file that somebody may have changed since it was checked.
Result<std::string_view> proven_object(std::string_view json) {
  const auto fault = find_json_fault(json);
  const std::size_t begin = std::min(json.find_first_not_of(" \t\r\n"), json.size());
  if (fault || !json.substr(begin).starts_with('{')) {
    return fail({.code = ErrorCode::kCannotTell,
                 .op = "read",
                 .subject = "the item",
                 .cause = "bad-source",
                 .detail = fault ? fault->detail : "it is no JSON object"});
  }
  return json.substr(begin);
}

}  // namespace

Result<std::vector<std::string>> fill_command(const LoopCommand& command,
                                              std::string_view item_json) {
  if (command.is_line) return command.words;
  const auto item = proven_object(item_json);
  if (!item) return fail(item.error());
  std::vector<std::string> words;
  for (const std::string& word : command.words) words.push_back(HF_TRY(fill(word, *item)));
  return words;
}

Result<std::string> fill_text(std::string_view text, std::string_view item_json) {
  const auto item = proven_object(item_json);
  if (!item) return fail(item.error());
  return fill(text, *item);
}

}  // namespace holdfast
