// SPDX-License-Identifier: Apache-2.0
#include "format/file/ledger_edit.h"

#include <map>
#include <utility>

#include "format/json/json_span.h"

namespace holdfast {
namespace {

constexpr std::size_t kLedgerEditNone = std::string_view::npos;

std::string_view newline_in(std::string_view text) {
  if (text.find("\r\n") != kLedgerEditNone) return "\r\n";
  return text.find('\n') != kLedgerEditNone ? "\n" : "";
}

// What stands before the line's first character other than blanks.
std::string_view indentation_in(std::string_view gap) {
  const std::size_t line = gap.rfind('\n');
  return line == kLedgerEditNone ? std::string_view() : gap.substr(line + 1);
}

// Is this what stands between two entries that nothing happened to?
bool separates(LedgerFormat format, std::string_view gap) {
  if (format == LedgerFormat::kLines) return gap.find('\n') != kLedgerEditNone;
  const std::size_t comma = gap.find_first_not_of(kJsonBlanks);
  return comma != kLedgerEditNone && gap[comma] == ',';
}

// How a ledger is written, told from what is in it.
struct Style {
  JsonLayout entry;
  std::string before_first;
  std::string separator;  // between two entries, an array's comma included
  std::string at_end;     // behind the last one; of an array with its bracket
};

Style style_of_lines(const LedgerText& ledger) {
  Style style;
  style.separator = ledger.newline.empty() ? "\n" : ledger.newline;
  style.at_end = style.separator;
  if (!ledger.entries.empty()) style.entry = layout_of(ledger.entries.back().text, "");
  style.entry.newline.clear();  // an entry is one line, whatever stands in it
  return style;
}

Style style_of_array(const LedgerText& ledger) {
  Style style;
  if (ledger.entries.empty()) {
    const std::string newline(newline_in(ledger.tail.substr(0, ledger.tail.find(']'))));
    style.before_first = newline.empty() ? "" : newline + "  ";
    style.separator = "," + style.before_first;
    style.at_end = newline + "]";
    return style;
  }
  std::optional<std::string_view> separator;
  for (const LedgerEntry& entry : ledger.entries) {
    if (!entry.after_loss && separates(ledger.format, entry.gap)) separator = entry.gap;
  }
  const LedgerEntry& first = ledger.entries.front();
  const LedgerEntry& last = ledger.entries.back();
  if (!first.after_loss) style.before_first = first.gap;
  const std::string_view line = separator ? *separator : std::string_view(style.before_first);
  style.entry = layout_of(last.text, indentation_in(line));
  if (separator) {
    style.separator = *separator;
  } else {
    style.separator =
        "," + (style.before_first.empty() ? style.entry.after_comma : style.before_first);
  }
  const std::string newline(newline_in(style.separator));
  if (first.after_loss && !newline.empty()) {
    style.before_first = newline + std::string(indentation_in(style.separator));
  }
  style.at_end = newline + "]";
  return style;
}

Style style_of(const LedgerText& ledger) {
  return ledger.format == LedgerFormat::kLines ? style_of_lines(ledger) : style_of_array(ledger);
}

// Which of the entries and the new one (the last) stay.
std::vector<bool> within_caps(const LedgerText& ledger, std::string_view added,
                              const LedgerCaps& caps) {
  const std::size_t count = ledger.entries.size() + 1;
  const auto text_of = [&](std::size_t i) {
    return i + 1 == count ? added : ledger.entries[i].text;
  };
  std::vector<bool> stays(count, true);
  for (const LedgerCaps::PerField& cap : caps.per) {
    std::map<std::string, std::uint64_t> seen;
    for (std::size_t i = count; i-- > 0;) {
      const auto value = stays[i] ? find_json_value(text_of(i), cap.field) : std::nullopt;
      if (!value) continue;
      // A text and a number that are spelled alike are two values.
      const std::string key = (value->starts_with('"') ? "\"" : "") + json_value_text(*value);
      if (++seen[key] > cap.newest) stays[i] = false;
    }
  }
  std::uint64_t seen = 0;
  for (std::size_t i = count; caps.newest && i-- > 0;) {
    if (stays[i] && ++seen > *caps.newest) stays[i] = false;
  }
  return stays;
}

std::unexpected<Error> own_fault(std::string_view op) {
  return fail({.code = ErrorCode::kInternal,
               .op = std::string(op),
               .subject = {},
               .cause = "ledger-edit",
               .detail = "the new text does not read as it should; nothing was changed"});
}

LedgerNaming naming_of(LedgerFormat format) {
  return format == LedgerFormat::kLines ? LedgerNaming::kLines : LedgerNaming::kOther;
}

// Does `bytes` read as exactly these entries?
bool reads_as(std::string_view bytes, LedgerFormat format,
              const std::vector<std::string_view>& entries) {
  const LedgerText again = read_ledger(bytes, naming_of(format));
  if (!again.whole() || again.format != format || again.entries.size() != entries.size()) {
    return false;
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (again.entries[i].text != entries[i]) return false;
  }
  return true;
}

// The end of a ledger that got an entry: as it was, where it was one.
std::string end_of(const LedgerText& ledger, const Style& style) {
  if (ledger.format == LedgerFormat::kLines) {
    return newline_in(ledger.tail).empty() ? style.at_end : std::string(ledger.tail);
  }
  if (!ledger.entries.empty()) return std::string(ledger.tail);
  return style.at_end + std::string(ledger.tail.substr(ledger.tail.find(']') + 1));
}

}  // namespace

std::string_view empty_ledger(LedgerFormat format) {
  return format == LedgerFormat::kLines ? "" : "[\n]\n";
}

LedgerFormat new_ledger_format(LedgerNaming naming) {
  return naming == LedgerNaming::kLines ? LedgerFormat::kLines : LedgerFormat::kArray;
}

Result<LedgerEdit> append_to_ledger(const LedgerText& ledger, std::string_view entry,
                                    const LedgerCaps& caps) {
  const Style style = style_of(ledger);
  const std::vector<bool> stays = within_caps(ledger, entry, caps);

  LedgerEdit edit{.bytes = std::string(ledger.head), .entry = laid_out(entry, style.entry)};
  std::vector<std::string_view> expected;
  for (std::size_t i = 0; i < ledger.entries.size(); ++i) {
    if (!stays[i]) continue;
    // Whichever is now the first stands where the first stood.
    edit.bytes += expected.empty() ? ledger.entries.front().gap : ledger.entries[i].gap;
    edit.bytes += ledger.entries[i].text;
    expected.push_back(ledger.entries[i].text);
  }
  const bool first = expected.empty();
  edit.bytes += !first                   ? std::string_view(style.separator)
                : ledger.entries.empty() ? std::string_view(style.before_first)
                                         : ledger.entries.front().gap;
  edit.bytes += edit.entry;
  edit.bytes += end_of(ledger, style);
  expected.push_back(edit.entry);
  edit.entries = expected.size();
  edit.dropped = ledger.entries.size() + 1 - edit.entries;

  if (edit.bytes.size() > kMaxLedgerBytes) {
    return fail({.code = ErrorCode::kRefused,
                 .op = "append to the ledger",
                 .subject = {},
                 .cause = "ledger-full",
                 .detail = "it would have more than 64 MiB; a cap keeps it small. Nothing was "
                           "changed"});
  }
  if (!reads_as(edit.bytes, ledger.format, expected)) return own_fault("append to the ledger");
  return edit;
}

Result<std::string> rebuilt_ledger(const LedgerText& damaged) {
  if (damaged.entries.empty()) return std::string(empty_ledger(damaged.format));
  const Style style = style_of(damaged);
  std::string bytes(damaged.head);
  std::vector<std::string_view> expected;
  for (const LedgerEntry& entry : damaged.entries) {
    const bool gap_is_good = !entry.after_loss && separates(damaged.format, entry.gap);
    bytes += expected.empty() ? std::string_view(style.before_first)
             : gap_is_good    ? entry.gap
                              : std::string_view(style.separator);
    bytes += entry.text;
    expected.push_back(entry.text);
  }
  bytes += style.at_end;
  if (damaged.format == LedgerFormat::kArray) bytes += "\n";
  if (!reads_as(bytes, damaged.format, expected)) return own_fault("repair the ledger");
  return bytes;
}

}  // namespace holdfast
