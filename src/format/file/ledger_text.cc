// SPDX-License-Identifier: Apache-2.0
#include "format/file/ledger_text.h"

#include <algorithm>
#include <utility>

#include "base/cause.h"
#include "format/json/json_span.h"

namespace holdfast {
namespace {

constexpr std::string_view kBom = "\xEF\xBB\xBF";
constexpr std::size_t kLedgerTextNone = std::string_view::npos;

bool is_blank(std::string_view text) {
  return text.find_first_not_of(kJsonBlanks) == kLedgerTextNone;
}

std::string_view without_json_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kJsonBlanks);
  if (begin == kLedgerTextNone) return {};
  return text.substr(begin, text.find_last_not_of(kJsonBlanks) + 1 - begin);
}

constexpr std::string_view kNotObject = "entry-not-object";
constexpr std::string_view kNotObjectDetail = "it is JSON, but not an object";
constexpr std::string_view kTooDeep = "too-deep";

std::string too_deep_detail() {
  return "it is nested more than " + std::to_string(kMaxLedgerDepth) + " levels deep";
}

bool is_entry(std::string_view text) {
  return text.starts_with('{') && !json_deeper_than(text, kMaxLedgerDepth) &&
         !find_json_fault(text);
}

// Puts a LedgerText together while the bytes are gone through from front to back.
class Builder {
 public:
  LedgerText ledger{};

  explicit Builder(std::string_view bytes) : bytes_(bytes), lines_(bytes) {
    const std::size_t line = bytes.find('\n');
    if (line == kLedgerTextNone) return;
    const bool two = line > 0 && bytes[line - 1] == '\r';
    ledger.newline = bytes.substr(two ? line - 1 : line, two ? 2 : 1);
  }

  // What stands before `at` does not belong to the head.
  void head_from(std::size_t at) { head_from_ = at; }

  void head(LedgerFormat format, std::size_t end) {
    ledger.format = format;
    ledger.head = bytes_.substr(head_from_, end - head_from_);
    kept_to_ = end;
  }
  void entry(std::size_t begin, std::size_t end) {
    const std::string_view gap = bytes_.substr(kept_to_, begin - kept_to_);
    ledger.entries.push_back({.text = bytes_.substr(begin, end - begin),
                              .gap = loss_ ? std::string_view() : gap,
                              .after_loss = loss_});
    kept_to_ = end;
    loss_ = false;
  }
  [[nodiscard]] std::size_t entries_before(std::size_t offset) const {
    return static_cast<std::size_t>(std::ranges::count_if(ledger.entries, [&](const auto& entry) {
      return entry.text.data() + entry.text.size() <= bytes_.data() + offset;
    }));
  }
  void tail() { ledger.tail = bytes_.substr(kept_to_); }

  // Offsets of damage only grow, or the line would be wrong.
  void damage(std::string_view cause, std::size_t at, std::size_t entry, std::string detail) {
    if (ledger.damages++ < kMaxLedgerDamages) {
      ledger.damage.push_back({.cause = cause,
                               .line = lines_.line_of(at),
                               .entry = entry,
                               .detail = std::move(detail)});
    }
  }
  void lose(std::size_t begin, std::size_t end) {
    ledger.lost_bytes += without_json_blanks(bytes_.substr(begin, end - begin)).size();
    loss_ = true;
  }
  // It is something else altogether.
  void no_ledger(std::string detail) {
    ledger.entries.clear();
    ledger.lost_bytes = 0;
    ledger.damage.assign(
        1, {.cause = cause::kNotALedger, .line = 1, .entry = 0, .detail = std::move(detail)});
    ledger.damages = 1;
  }

 private:
  std::string_view bytes_;
  LineCounter lines_;
  std::size_t head_from_ = 0;
  std::size_t kept_to_ = 0;  // the end of the head or of the last entry
  bool loss_ = false;
};

// ---- an array
// ------------------------------------------------------------------------------------

void split_array(std::string_view bytes, std::size_t open, Builder& builder) {
  builder.head(LedgerFormat::kArray, open + 1);
  std::size_t at = skip_json_blanks(bytes, open + 1);
  for (std::size_t number = 1; bytes[at] != ']'; ++number) {
    const std::size_t end = json_value_end(bytes, at);
    const bool object = bytes[at] == '{';
    if (object && !json_deeper_than(bytes.substr(at, end - at), kMaxLedgerDepth)) {
      builder.entry(at, end);
    } else {
      builder.damage(object ? kTooDeep : kNotObject, at, number,
                     object ? too_deep_detail() : std::string(kNotObjectDetail));
      builder.lose(at, end);
    }
    at = skip_json_blanks(bytes, end);
    if (bytes[at] == ',') at = skip_json_blanks(bytes, at + 1);
  }
  if (builder.ledger.whole()) builder.tail();
}

// A damaged array is gone through from one place where an entry can begin to the next.
class Salvage {
 public:
  Salvage(std::string_view bytes, std::size_t open)
      : bytes_(bytes), at_(skip_json_blanks(bytes, open + 1)) {
    // The line end before the first entry and its indentation; an inner line that is not indented
    // more deeply (an indentation of 0) could not be told from an entry's first one.
    const std::string_view before = bytes.substr(open + 1, at_ - open - 1);
    const std::size_t line = before.rfind('\n');
    if (line == kLedgerTextNone) return;
    const std::string_view inside = bytes.substr(std::min(at_ + 1, bytes.size()));
    const std::string_view inner = inside.substr(0, skip_json_blanks(inside, 0));
    const std::size_t inner_line = inner.rfind('\n');
    if (inner_line != kLedgerTextNone && inner.size() - inner_line <= before.size() - line) return;
    line_start_ = std::string(before.substr(line)) + "{";
    next_line_ = 0;
  }

  void run(Builder& builder) {
    while (at_ < bytes_.size() && bytes_[at_] != ']') {
      const std::size_t next_line = next_on_its_line();
      const std::size_t end = json_value_end(bytes_.substr(0, next_line), at_);
      if (end != kLedgerTextNone && is_entry(bytes_.substr(at_, end - at_))) {
        builder.entry(at_, end);
        at_ = behind_comma(end);
        continue;
      }
      const std::size_t next = line_start_.empty() ? behind_matching_brackets(end) : next_line;
      builder.lose(at_, std::min(next, bytes_.size()));
      at_ = next;  // kNone ends it
    }
    if (at_ < bytes_.size()) builder.lose(at_ + 1, bytes_.size());  // behind the closing bracket
  }

 private:
  [[nodiscard]] std::size_t behind_comma(std::size_t end) const {
    const std::size_t at = skip_json_blanks(bytes_, end);
    return at < bytes_.size() && bytes_[at] == ',' ? skip_json_blanks(bytes_, at + 1) : at;
  }
  // The next place behind at_ where an entry begins on a line of its own. It is looked for only
  // after the last one was passed: a line may have very many entries.
  std::size_t next_on_its_line() {
    if (line_start_.empty() || next_line_ > at_) return next_line_;
    const std::size_t found = bytes_.find(line_start_, at_);
    next_line_ = found == kLedgerTextNone ? kLedgerTextNone : found + line_start_.size() - 1;
    return next_line_;
  }
  [[nodiscard]] std::size_t behind_matching_brackets(std::size_t end) const {
    if (end == kLedgerTextNone) return kLedgerTextNone;
    const std::size_t next = behind_comma(end);
    const bool moved = next > skip_json_blanks(bytes_, end);  // over a comma
    return moved ? next : kLedgerTextNone;
  }

  std::string_view bytes_;
  std::size_t at_;
  std::string line_start_;
  std::size_t next_line_ = kLedgerTextNone;
};

std::string_view cause_of(const JsonFault& fault, std::string_view text) {
  if (text.find('\0') != kLedgerTextNone) return "nul-bytes";
  return fault.at_end ? "cut-off" : "not-json";
}

LedgerText read_array(std::string_view bytes, std::size_t open, Builder builder) {
  const std::string_view array = bytes.substr(open);
  if (const auto fault = find_json_fault(array)) {
    builder.head(LedgerFormat::kArray, open + 1);
    Salvage(bytes, open).run(builder);
    builder.damage(cause_of(*fault, array), open + fault->at,
                   builder.entries_before(open + fault->at) + 1, fault->detail);
  } else {
    split_array(bytes, open, builder);
  }
  return std::move(builder.ledger);
}

// ---- lines
// ---------------------------------------------------------------------------------------

// Of a line that is no entry.
void damaged_line(std::string_view line, std::size_t offset, std::size_t number, bool ended,
                  Builder& builder) {
  if (const auto fault = find_json_fault(line)) {
    const bool nul = line.find('\0') != kLedgerTextNone;
    builder.damage(!ended ? "torn-tail"
                   : nul  ? "nul-bytes"
                          : "not-json",
                   offset, number, fault->detail);
  } else {
    const bool object = line.starts_with('{');
    builder.damage(object ? kTooDeep : kNotObject, offset, number,
                   object ? too_deep_detail() : std::string(kNotObjectDetail));
  }
  builder.lose(offset, offset + line.size());
}

LedgerText read_lines(std::string_view bytes, std::size_t begin, LedgerNaming naming,
                      Builder builder) {
  builder.head(LedgerFormat::kLines, begin);
  std::size_t number = 0;
  for (std::size_t at = begin; at < bytes.size();) {
    const std::size_t newline = bytes.find('\n', at);
    const std::size_t end = std::min(newline, bytes.size());
    const std::string_view line = without_json_blanks(bytes.substr(at, end - at));
    if (!line.empty()) {
      ++number;
      const auto offset = static_cast<std::size_t>(line.data() - bytes.data());
      if (is_entry(line)) {
        builder.entry(offset, offset + line.size());
      } else {
        damaged_line(line, offset, number, newline != kLedgerTextNone, builder);
      }
    }
    at = end + 1;
  }
  // One line that is an object was meant as one, where the name does not speak against it.
  const bool one_deep_line = number == 1 && naming != LedgerNaming::kJson &&
                             !builder.ledger.whole() &&
                             builder.ledger.damage.front().cause == kTooDeep;
  const bool one_value =
      !builder.ledger.whole() && !one_deep_line && !find_json_fault(bytes.substr(begin));
  if (one_value) {
    builder.no_ledger("it is one JSON value, but neither a list nor lines");
  } else if (builder.ledger.whole() && number == 1 && naming == LedgerNaming::kJson) {
    builder.no_ledger(
        "it is one JSON object; one line alone is a ledger in a file called .jsonl, not .json");
  } else if (builder.ledger.entries.empty() && naming != LedgerNaming::kLines) {
    builder.ledger.format = LedgerFormat::kArray;  // as a new one would be
  }
  if (builder.ledger.whole()) builder.tail();
  return std::move(builder.ledger);
}

}  // namespace

std::string_view to_text(LedgerFormat format) {
  return format == LedgerFormat::kArray ? "array" : "lines";
}

LedgerNaming ledger_naming(std::string_view path) {
  if (path.ends_with(".jsonl")) return LedgerNaming::kLines;
  return path.ends_with(".json") ? LedgerNaming::kJson : LedgerNaming::kOther;
}

bool LedgerText::is_ledger() const {
  return whole() || damage.empty() || damage.front().cause != cause::kNotALedger;
}

LedgerText read_ledger(std::string_view bytes, LedgerNaming naming) {
  Builder builder(bytes);
  std::size_t begin = bytes.starts_with(kBom) ? kBom.size() : 0;
  while (begin > 0 && bytes.substr(begin).starts_with(kBom)) {
    builder.damage("double-bom", 0, 0, "it begins with several byte order marks");
    builder.lose(begin, begin + kBom.size());
    builder.head_from(begin);
    begin += kBom.size();
  }
  if (is_blank(bytes.substr(begin)) && naming != LedgerNaming::kLines) {
    builder.head(LedgerFormat::kArray, begin);
    builder.damage("empty-file", 0, 0, "there is nothing in it, not even an empty list");
    return std::move(builder.ledger);
  }
  const std::size_t first = skip_json_blanks(bytes, begin);
  if (first < bytes.size() && bytes[first] == '[') {
    return read_array(bytes, first, std::move(builder));
  }
  return read_lines(bytes, begin, naming, std::move(builder));
}

Error ledger_error(const LedgerText& damaged, const std::string& path) {
  const LedgerDamage& first = damaged.damage.front();
  std::string where = "line " + std::to_string(first.line);
  if (first.entry != 0) where += ", entry " + std::to_string(first.entry);
  std::string detail = where + ": " + first.detail;
  if (damaged.damages > 1) {
    detail += ", and " + std::to_string(damaged.damages - 1) + " more";
  }
  detail += damaged.is_ledger() ? "; it was left as it is, see `holdfast help ledger repair`"
                                : "; it was left as it is";
  return {.code = ErrorCode::kCorrupt,
          .op = "read the ledger",
          .subject = path,
          .cause = std::string(first.cause),
          .detail = std::move(detail)};
}

std::size_t LineCounter::line_of(std::size_t offset) {
  for (; counted_ < offset && counted_ < text_.size(); ++counted_) {
    if (text_[counted_] == '\n') ++line_;
  }
  return line_;
}

}  // namespace holdfast
