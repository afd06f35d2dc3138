// SPDX-License-Identifier: Apache-2.0
//
// Random histories of appends against a slow, obvious model: a list of JSON values from which caps
// take the oldest by counting. After each append the file must say what the model says, and every
// entry that stayed must still be the bytes that it was.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "format/file/ledger_edit.h"
#include "format/file/ledger_text.h"

namespace holdfast {
namespace {

using Json = nlohmann::ordered_json;
using Model = std::vector<Json>;

struct Start {
  LedgerFormat format;
  std::string bytes;
  Model model;
};

Json some_entry(int number) {
  const auto key = *rc::gen::element<std::string>("x", "y", "", "\"{[,]}\"\n", "\xC3\xA9");
  Json entry{{"i", number}};
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      entry["k"] = key;
      break;
    case 1:
      entry["k"] = *rc::gen::inRange(0, 3);
      break;
    case 2:
      entry["o"] = Json{{"k", key}, {"l", Json::array({1, Json::object(), Json::array()})}};
      break;
    case 3:
      entry[key] = nullptr;
      break;
    default:
      break;
  }
  return entry;
}

std::string as_line(const Json& entry, bool spaced) {
  if (!spaced) return entry.dump();
  std::string text = entry.dump(1);  // one blank of indentation, then all on one line
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\n') line += text[i];
    if (text[i] == '\n') i = text.find_first_not_of(' ', i + 1) - 1;
  }
  return line;
}

// A ledger as another tool could have written it.
Start some_start() {
  Start start{.format = *rc::gen::element(LedgerFormat::kArray, LedgerFormat::kLines),
              .bytes = {},
              .model = {}};
  const int count = *rc::gen::inRange(0, 6);
  for (int i = 0; i < count; ++i) start.model.push_back(some_entry(-i - 1));
  const auto newline = *rc::gen::element<std::string>("\n", "\r\n");
  const bool spaced = *rc::gen::arbitrary<bool>();
  start.bytes = *rc::gen::element<std::string>("", "\xEF\xBB\xBF");
  if (start.format == LedgerFormat::kLines) {
    for (const Json& entry : start.model) start.bytes += as_line(entry, spaced) + newline;
    if (count > 0 && *rc::gen::arbitrary<bool>())
      start.bytes.resize(start.bytes.size() - newline.size());
    return start;
  }
  const int indent = *rc::gen::inRange(-1, 5);
  if (*rc::gen::arbitrary<bool>()) {
    start.bytes += Json(start.model).dump(indent);
  } else {
    start.bytes += "[" + newline;
    for (std::size_t i = 0; i < start.model.size(); ++i) {
      start.bytes += (i == 0 ? "" : "," + newline) + as_line(start.model[i], spaced);
    }
    start.bytes += newline + "]";
  }
  start.bytes += *rc::gen::element<std::string>("", "\n", " \r\n");
  return start;
}

// Drops the oldest of `group` until `newest` are left.
void cap(Model& model, std::uint64_t newest, const std::function<bool(const Json&)>& group) {
  while (static_cast<std::uint64_t>(std::ranges::count_if(model, group)) > newest) {
    model.erase(std::ranges::find_if(model, group));
  }
}

void cap_per(Model& model, const LedgerCaps::PerField& per) {
  std::string pointer;
  for (const std::string& key : per.field) pointer += "/" + key;
  const Json::json_pointer field(pointer);
  const Model all = model;
  for (const Json& entry : all) {
    if (!entry.contains(field)) continue;
    cap(model, per.newest, [&](const Json& other) {
      return other.contains(field) && other.at(field) == entry.at(field);
    });
  }
}

LedgerCaps some_caps() {
  LedgerCaps caps;
  if (*rc::gen::arbitrary<bool>()) caps.newest = *rc::gen::inRange<std::uint64_t>(1, 8);
  const auto fields = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 2));
  for (std::size_t i = 0; i < std::min<std::size_t>(fields.size(), 2); ++i) {
    caps.per.push_back({.field = fields[i] == 0 ? std::vector<std::string>{"k"}
                                                : std::vector<std::string>{"o", "k"},
                        .newest = *rc::gen::inRange<std::uint64_t>(1, 4)});
  }
  return caps;
}

Model parsed(const LedgerText& ledger) {
  Model model;
  for (const LedgerEntry& entry : ledger.entries) model.push_back(Json::parse(entry.text));
  return model;
}

// The whole text read by the library alone, as another tool would.
Model parsed_by_others(const std::string& bytes, LedgerFormat format) {
  const std::string text = bytes.starts_with("\xEF\xBB\xBF") ? bytes.substr(3) : bytes;
  if (format == LedgerFormat::kArray) return Json::parse(text).get<Model>();
  Model model;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (text.find_first_not_of("\r", at) < end)
      model.push_back(Json::parse(text.substr(at, end - at)));
    at = end + 1;
  }
  return model;
}

RC_GTEST_PROP(LedgerProperty, EveryHistoryOfAppendsSaysWhatTheModelSays, ()) {
  Start start = some_start();
  std::string bytes = start.bytes;
  Model model = start.model;
  const int appends = *rc::gen::inRange(1, 12);
  for (int i = 0; i < appends; ++i) {
    const LedgerText before = read_ledger(bytes, LedgerNaming::kLines);
    RC_ASSERT(before.whole());
    const LedgerFormat format = before.format;
    const Json entry = some_entry(i);
    const LedgerCaps caps = some_caps();
    const auto edit = append_to_ledger(before, entry.dump(*rc::gen::inRange(-1, 3)), caps);
    RC_ASSERT(edit.has_value());

    model.push_back(entry);
    for (const auto& per : caps.per) cap_per(model, per);
    if (caps.newest) cap(model, *caps.newest, [](const Json&) { return true; });
    const LedgerText after = read_ledger(edit->bytes, LedgerNaming::kLines);
    RC_ASSERT(after.whole());
    RC_ASSERT(after.format == format);
    RC_ASSERT(parsed(after) == model);
    RC_ASSERT(parsed_by_others(edit->bytes, format) == model);
    RC_ASSERT(after.head == before.head);
    // What stayed is what it was: each old entry is found again, in order, byte for byte.
    std::size_t at = 0;
    for (std::size_t kept = 0; kept + 1 < after.entries.size(); ++kept) {
      while (at < before.entries.size() && before.entries[at].text != after.entries[kept].text)
        ++at;
      RC_ASSERT(at < before.entries.size());
      ++at;
    }
    bytes = edit->bytes;
  }
}

RC_GTEST_PROP(LedgerProperty, ARepairOfACutLedgerKeepsEveryWholeEntry, ()) {
  const Start start = some_start();
  RC_PRE(!start.bytes.empty());
  const std::string cut =
      start.bytes.substr(0, *rc::gen::inRange<std::size_t>(0, start.bytes.size()));
  const auto naming =
      start.format == LedgerFormat::kLines ? LedgerNaming::kLines : LedgerNaming::kOther;
  const LedgerText whole = read_ledger(start.bytes, naming);
  const LedgerText damaged = read_ledger(cut, naming);
  std::size_t expected = 0;
  for (const LedgerEntry& entry : whole.entries) {
    const auto end =
        static_cast<std::size_t>(entry.text.data() + entry.text.size() - start.bytes.data());
    if (end <= cut.size()) ++expected;
  }
  RC_ASSERT(damaged.entries.size() == expected);
  if (damaged.whole()) return;
  const auto bytes = rebuilt_ledger(damaged);
  RC_ASSERT(bytes.has_value());
  const LedgerText again = read_ledger(*bytes, naming);
  RC_ASSERT(again.whole());
  RC_ASSERT(again.entries.size() == expected);
  for (std::size_t i = 0; i < expected; ++i)
    RC_ASSERT(again.entries[i].text == whole.entries[i].text);
}

}  // namespace
}  // namespace holdfast
