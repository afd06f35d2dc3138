// SPDX-License-Identifier: Apache-2.0
#include "format/loop/loop_item.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "format/json/due_time.h"
#include "format/json/format_version.h"
#include "format/json/json.h"
#include "format/json/record_reader.h"
#include "format/json/record_writer.h"
#include "format/text/crc32c.h"

namespace holdfast {
namespace {

constexpr std::array<std::string_view, kItemStates> kLoopItemStates{
    "waiting", "running",        "verifying", "succeeding", "success_unsure",
    "failing", "failure_unsure", "unknown",   "done",       "gave_up"};
constexpr std::array<std::string_view, 4> kActs{"run", "verify", "on_success", "on_failure"};

constexpr std::string_view kOp = "read a line of the loop's log";
constexpr std::string_view kLoopItemCause = "bad-loop-log";
constexpr std::size_t kSumDigits = 8;
constexpr int kHex = 16;
constexpr std::size_t kHeadDigits = 20;  // of any number of bytes

void write_act(Json& object, const char* key, const std::optional<ItemAct>& act) {
  if (!act) return;
  object[key] = {{"kind", to_text(act->kind)},
                 {"run", to_hex(act->run)},
                 {"session", bytes_to_json(act->session)},
                 {"since", format_rfc3339(act->since)}};
  if (act->begun) object[key]["begun"] = true;
  if (act->unseen) object[key]["unseen"] = mark_json(*act->unseen);
}

void count(Json& object, const char* key, std::uint64_t number) {
  if (number != 0) object[key] = number;
}

Json notice_json(const ItemNotice& notice) {
  Json object = Json::object();
  RecordWriter writer(object);
  for (const ItemNotice::Told& told : notice.told) {
    object["told"].push_back({{"about", told.about}, {"at", mark_json(told.at)}});
  }
  count(object, "held_back", notice.held_back);
  count(object, "said", notice.said);
  writer.word("wanted", notice.wanted);
  writer.word("later", notice.later);
  write_act(object, "act", notice.act);
  count(object, "failures", notice.failures);
  if (notice.next) object["next"] = due_json(*notice.next);
  if (notice.unsure) object["unsure"] = true;
  return object;
}

Json to_json(const ItemRecord& item) {
  Json object{{"v", ItemRecord::kVersion}, {"kind", "item"}};
  RecordWriter writer(object);
  object["id"] = bytes_to_json(item.id);
  object["state"] = to_text(item.state);
  count(object, "attempts", item.attempts);
  count(object, "act_attempts", item.act_attempts);
  count(object, "asked", item.asked);
  if (item.verified) object["verified"] = true;
  write_act(object, "act", item.act);
  if (item.next) object["next"] = due_json(*item.next);
  writer.word("session", item.session);
  writer.word("reason", item.reason);
  writer.word("detail", item.detail);
  writer.plain("exit_code", item.exit_code);
  object["first_seen"] = format_rfc3339(item.first_seen);
  object["changed"] = format_rfc3339(item.changed);
  if (item.absent) object["absent"] = mark_json(*item.absent);
  if (item.notice != ItemNotice{}) object["notice"] = notice_json(item.notice);
  return object;
}

Json to_json(const LoopDay& day) {
  return {{"v", ItemRecord::kVersion},
          {"kind", "day"},
          {"day", day.day},
          {"begun", day.begun},
          {"failures", day.failures},
          {"time_ms", RecordWriter::milliseconds(day.time)}};
}

Json to_json(const ItemForgotten& forgotten) {
  return {{"v", ItemRecord::kVersion}, {"kind", "forgotten"}, {"id", bytes_to_json(forgotten.id)}};
}

std::string sum_of(std::string_view json) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::uint32_t sum = crc32c(json);
  std::string text(kSumDigits, '0');
  for (std::size_t i = kSumDigits; i-- > 0; sum >>= 4U) text[i] = kDigits[sum % kHex];
  return text;
}

std::optional<TimeMark> find_mark(RecordReader& reader, const char* key) {
  if (reader.find_object(key) == nullptr) return std::nullopt;
  return need_mark(reader, key);
}

std::optional<ItemAct> read_act(RecordReader& reader, const char* key, RecordFault& fault) {
  const Json* object = reader.find_object(key);
  if (object == nullptr) return std::nullopt;
  RecordReader inner(*object, fault);
  ItemAct act;
  const std::string kind = inner.text("kind");
  const auto* known = std::ranges::find(kActs, kind);
  if (known == kActs.end()) inner.wrong("kind");
  if (known != kActs.end()) act.kind = static_cast<ItemAct::Kind>(known - kActs.begin());
  const auto run = parse_id128(inner.text("run"));
  if (!run) inner.wrong("run");
  act.run = run.value_or(Id128{});
  act.session = inner.text("session");
  act.since = inner.time("since");
  act.begun = inner.find_flag("begun").value_or(false);
  act.unseen = find_mark(inner, "unseen");
  return act;
}

ItemNotice read_notice(const Json& object, RecordFault& fault) {
  RecordReader reader(object, fault);
  ItemNotice notice;
  const Json* list = object.find("told");
  if (list != nullptr && !list->is_array()) reader.wrong("told");
  if (list != nullptr && list->is_array()) {
    for (const Json& each : *list) {
      if (!each.is_object()) {
        reader.wrong("told");
        break;
      }
      RecordReader told(each, fault);
      std::string about = told.text("about");
      notice.told.push_back({.about = std::move(about), .at = need_mark(told, "at")});
    }
  }
  notice.held_back = reader.find_count("held_back").value_or(0);
  notice.said = reader.find_count("said").value_or(0);
  notice.wanted = reader.word("wanted");
  notice.later = reader.word("later");
  notice.act = read_act(reader, "act", fault);
  notice.failures = reader.find_count("failures").value_or(0);
  notice.next = find_due(reader, "next");
  notice.unsure = reader.find_flag("unsure").value_or(false);
  return notice;
}

ItemRecord read_item(const Json& object, RecordFault& fault) {
  constexpr std::uint64_t kMostCode = 255;
  RecordReader reader(object, fault);
  ItemRecord item;
  item.id = reader.text("id");
  const auto state = parse_item_state(reader.text("state"));
  if (!state) reader.wrong("state");
  item.state = state.value_or(ItemState::kUnknown);
  item.attempts = reader.find_count("attempts").value_or(0);
  item.act_attempts = reader.find_count("act_attempts").value_or(0);
  item.asked = reader.find_count("asked").value_or(0);
  item.verified = reader.find_flag("verified").value_or(false);
  item.act = read_act(reader, "act", fault);
  item.next = find_due(reader, "next");
  item.session = reader.word("session");
  item.reason = reader.word("reason");
  item.detail = reader.word("detail");
  item.exit_code = reader.find_int("exit_code", 0, kMostCode);
  item.first_seen = reader.time("first_seen");
  item.changed = reader.time("changed");
  item.absent = find_mark(reader, "absent");
  if (const Json* notice = reader.find_object("notice")) item.notice = read_notice(*notice, fault);
  return item;
}

LoopDay read_day(const Json& object, RecordFault& fault) {
  RecordReader reader(object, fault);
  return {.day = reader.text("day"),
          .begun = reader.count("begun"),
          .failures = reader.count("failures"),
          .time = reader.duration("time_ms")};
}

}  // namespace

std::string_view to_text(ItemState state) {
  return kLoopItemStates[static_cast<std::size_t>(state)];
}

std::optional<ItemState> parse_item_state(std::string_view text) {
  const auto* known = std::ranges::find(kLoopItemStates, text);
  if (known == kLoopItemStates.end()) return std::nullopt;
  return static_cast<ItemState>(known - kLoopItemStates.begin());
}

std::string_view to_text(ItemAct::Kind kind) { return kActs[static_cast<std::size_t>(kind)]; }

std::string encode_loop_line(const LoopLine& line) {
  const std::string json = std::visit([](const auto& what) { return to_json(what).dump(); }, line);
  return sum_of(json) + " " + json + "\n";
}

Result<LoopLine> decode_loop_line(std::string_view line, std::string_view place) {
  RecordFault fault{.op = kOp, .cause = kLoopItemCause, .subject = place};
  if (line.size() < kSumDigits + 2 || line[kSumDigits] != ' ') {
    return fault.corrupt("it has no checksum");
  }
  const std::string_view json = line.substr(kSumDigits + 1);
  if (sum_of(json) != line.substr(0, kSumDigits)) {
    return fault.corrupt("its checksum is not that of its content");
  }
  const Json object = parse_json(json);
  if (!object.is_object()) return fault.corrupt("it is no JSON object");
  HF_TRY(check_format_version("loop's log", place, json_version(object), ItemRecord::kVersion));
  const std::string* kind = json_text(object, "kind");
  LoopLine read;
  if (kind != nullptr && *kind == "item") {
    read = read_item(object, fault);
  } else if (kind != nullptr && *kind == "day") {
    read = read_day(object, fault);
  } else if (kind != nullptr && *kind == "forgotten") {
    read = ItemForgotten{.id = RecordReader(object, fault).text("id")};
  } else {
    fault.wrong("kind");
  }
  if (fault.error) return fail(*fault.error);
  return read;
}

std::string encode_loop_head(const LoopHead& head) {
  std::string digits = std::to_string(head.synced);
  digits.insert(0, kHeadDigits - digits.size(), '0');
  const Json object{{"v", LoopHead::kVersion}, {"kind", "head"}, {"synced", digits}};
  const std::string json = object.dump();
  return sum_of(json) + " " + json + "\n";
}

std::optional<LoopHead> decode_loop_head(std::string_view bytes) {
  constexpr std::size_t kBehindDigits = 3;  // "}\n
  if (bytes.size() < kLoopHeadBytes) return std::nullopt;
  const std::string_view line = bytes.substr(0, kLoopHeadBytes);
  const char* digits = line.data() + kLoopHeadBytes - kBehindDigits - kHeadDigits;
  LoopHead head;
  const auto read = std::from_chars(digits, digits + kHeadDigits, head.synced);
  // Only what would be written like this is a head.
  if (read.ec != std::errc() || encode_loop_head(head) != line) return std::nullopt;
  return head;
}

}  // namespace holdfast
