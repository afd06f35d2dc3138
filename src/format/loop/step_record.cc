// SPDX-License-Identifier: Apache-2.0
#include "format/loop/step_record.h"

#include <algorithm>
#include <array>

#include "format/json/due_time.h"
#include "format/json/format_version.h"
#include "format/json/json.h"
#include "format/json/record_reader.h"
#include "format/json/record_writer.h"
#include "format/text/name_escape.h"

namespace holdfast {
namespace {

constexpr std::string_view kStepRecordKind = "holdfast-step";
constexpr std::array<std::string_view, kStepKinds> kStepRecordKinds{"once", "attempt", "notify"};
constexpr std::uint64_t kStepRecordMostCode = 255;
constexpr std::uint64_t kStepRecordMostSignal = 127;

// --- writing

Json step_end_json(const StepEnd& end) {
  Json json{{"run", to_hex(end.run)}};
  RecordWriter write(json);
  write.time("began", end.began);
  write.time("ended", end.ended);
  json["state"] = to_text(end.state);
  write.plain("exit_code", end.exit_code);
  write.plain("signal", end.signal);
  if (end.repeats) json["repeats"] = true;
  if (end.asked) json["asked"] = true;
  if (end.unproven) json["unproven"] = true;
  return json;
}

Json bundle_json(const NoticeBundle& bundle) {
  Json texts = Json::array();
  for (const NoticeText& text : bundle.texts) {
    texts.push_back({{"text_sha256", to_hex(text.digest)}, {"text", bytes_to_json(text.text)}});
  }
  Json json{{"texts", std::move(texts)}};
  if (bundle.repeats != 0) json["repeats"] = bundle.repeats;
  if (bundle.dropped != 0) json["dropped"] = bundle.dropped;
  return json;
}

Json step_pending_json(const StepPending& pending) {
  Json json{{"run", to_hex(pending.run)}, {"reserved", pending.reserved}};
  RecordWriter write(json);
  json["since"] = mark_json(pending.since);
  write.identity("by", pending.by);
  if (pending.retry_wait != Duration::zero()) write.duration("retry_wait_ms", pending.retry_wait);
  if (pending.repeats) json["repeats"] = true;
  if (pending.notice != NoticeBundle{}) json["notice"] = bundle_json(pending.notice);
  return json;
}

Json sent_json(const SentNotice& sent) {
  Json json{{"text_sha256", to_hex(sent.text)}, {"at", mark_json(sent.at)}};
  if (sent.unsure) json["unsure"] = true;
  if (sent.held_back != 0) json["held_back"] = sent.held_back;
  return json;
}

// --- reading

Digest need_digest(RecordReader& read, const char* key) {
  const auto digest = parse_digest_hex(read.text(key));
  if (!digest) read.wrong(key);
  return digest.value_or(Digest{});
}

// A notice may hold a NUL, which RecordReader takes for damage.
std::string step_record_text_of(const Json& json, const char* key, RecordFault& fault) {
  const Json* field = json.find(key);
  auto text = field == nullptr ? std::nullopt : bytes_from_json(*field);
  if (!text || text->empty()) fault.wrong(key);
  return std::move(text).value_or(std::string());
}

StepEnd read_step_end(const Json& object, RecordFault& fault) {
  RecordReader read(object, fault);
  StepEnd end{.run = read.id("run")};
  end.began = read.time("began");
  end.ended = read.find_time("ended");
  const auto state = parse_session_state(read.text("state"));
  if (!state || !is_final(*state)) read.wrong("state");
  end.state = state.value_or(SessionState::kLost);
  end.exit_code = read.find_int("exit_code", 0, kStepRecordMostCode);
  end.signal = read.find_int("signal", 1, kStepRecordMostSignal);
  end.repeats = read.find_flag("repeats").value_or(false);
  end.asked = read.find_flag("asked").value_or(false);
  end.unproven = read.find_flag("unproven").value_or(false);
  return end;
}

NoticeText read_text(const Json& object, RecordFault& fault) {
  RecordReader read(object, fault);
  NoticeText text{.digest = need_digest(read, "text_sha256")};
  text.text = step_record_text_of(object, "text", fault);
  return text;
}

template <typename T, typename Read>
std::vector<T> read_list(const Json& json, const char* key, std::size_t most, RecordFault& fault,
                         const Read& read_one) {
  std::vector<T> list;
  const Json* field = json.find(key);
  if (field == nullptr) return list;
  if (!field->is_array() || field->size() > most) {
    fault.wrong(key);
    return list;
  }
  for (const Json& element : *field) {
    if (!element.is_object()) fault.wrong(key);
    if (element.is_object()) list.push_back(read_one(element, fault));
  }
  return list;
}

NoticeBundle read_bundle(RecordReader& outer, const char* key, RecordFault& fault) {
  NoticeBundle bundle;
  const Json* const object = outer.find_object(key);
  if (object == nullptr) return bundle;
  RecordReader read(*object, fault);
  bundle.texts = read_list<NoticeText>(*object, "texts", kMaxBundleTexts, fault, read_text);
  bundle.repeats = read.find_count("repeats").value_or(0);
  bundle.dropped = read.find_count("dropped").value_or(0);
  return bundle;
}

StepPending read_step_pending(const Json& object, RecordFault& fault) {
  RecordReader read(object, fault);
  StepPending pending{.run = read.id("run")};
  pending.reserved = read.flag("reserved");
  pending.since = need_mark(read, "since");
  pending.by = read.identity("by");
  pending.retry_wait = read.find_duration("retry_wait_ms").value_or(Duration::zero());
  pending.repeats = read.find_flag("repeats").value_or(false);
  pending.notice = read_bundle(read, "notice", fault);
  return pending;
}

SentNotice read_sent(const Json& object, RecordFault& fault) {
  RecordReader read(object, fault);
  SentNotice sent{.text = need_digest(read, "text_sha256")};
  sent.at = need_mark(read, "at");
  sent.unsure = read.find_flag("unsure").value_or(false);
  sent.held_back = read.find_count("held_back").value_or(0);
  return sent;
}

StepRecord read_step_record(const Json& json, RecordFault& fault) {
  RecordReader read(json, fault);
  StepRecord record;
  const auto step = parse_step_kind(read.text("step"));
  if (!step) read.wrong("step");
  record.step = step.value_or(StepKind::kOnce);
  record.key = read.text("key");
  if (record.key.empty() || record.key.size() > kMaxRawName) read.wrong("key");
  record.created = read.time("created");
  if (const Json* pending = read.find_object("pending")) {
    record.pending = read_step_pending(*pending, fault);
  }
  if (const Json* done = read.find_object("done")) {
    RecordReader inner(*done, fault);
    record.done = StepDone{.run = inner.id("run")};
    record.done->at = need_mark(inner, "at");
  }
  if (const Json* unsure = read.find_object("unsure"))
    record.unsure = read_step_end(*unsure, fault);
  record.runs = read.count("runs");
  record.lost = read.find_count("lost").value_or(0);
  record.failures = read.find_count("failures").value_or(0);
  record.max = read.find_count("max", 1);
  record.lapses = read.find_duration("lapses_ms");
  record.next = find_due(read, "next");
  record.history = read_list<StepEnd>(json, "history", kMaxStepHistory, fault, read_step_end);
  record.sent = read_list<SentNotice>(json, "sent", kMaxSentNotices, fault, read_sent);
  record.kept = read_bundle(read, "kept", fault);
  return record;
}

}  // namespace

std::string_view to_text(StepKind kind) { return kStepRecordKinds[static_cast<std::size_t>(kind)]; }

std::optional<StepKind> parse_step_kind(std::string_view text) {
  const auto* const found = std::ranges::find(kStepRecordKinds, text);
  if (found == kStepRecordKinds.end()) return std::nullopt;
  return static_cast<StepKind>(found - kStepRecordKinds.begin());
}

std::string step_session(StepKind kind, std::string_view key) {
  return std::string(to_text(kind)) + ":" + std::string(key);
}

std::string encode_step_record(const StepRecord& record) {
  Json json;
  RecordWriter write(json);
  json["v"] = StepRecord::kVersion;
  json["kind"] = kStepRecordKind;
  json["step"] = to_text(record.step);
  json["key"] = bytes_to_json(record.key);
  write.time("created", record.created);
  if (record.pending) json["pending"] = step_pending_json(*record.pending);
  if (record.done) {
    json["done"] = {{"run", to_hex(record.done->run)}, {"at", mark_json(record.done->at)}};
  }
  if (record.unsure) json["unsure"] = step_end_json(*record.unsure);
  json["runs"] = record.runs;
  if (record.lost != 0) json["lost"] = record.lost;
  if (record.failures != 0) json["failures"] = record.failures;
  write.plain("max", record.max);
  write.duration("lapses_ms", record.lapses);
  if (record.next) json["next"] = due_json(*record.next);
  if (!record.history.empty()) {
    Json& list = json["history"] = Json::array();
    for (const StepEnd& end : record.history) list.push_back(step_end_json(end));
  }
  if (!record.sent.empty()) {
    Json& list = json["sent"] = Json::array();
    for (const SentNotice& sent : record.sent) list.push_back(sent_json(sent));
  }
  if (record.kept != NoticeBundle{}) json["kept"] = bundle_json(record.kept);
  return dump_sealed(json);
}

Result<StepRecord> decode_step_record(std::string_view bytes, std::string_view subject) {
  RecordFault fault{.op = "read the step's record", .cause = "bad-step-record", .subject = subject};
  if (bytes.size() > kMaxStepRecordBytes) return fault.corrupt("it is longer than 32 MiB");
  const Json json = parse_json(bytes);
  if (!json.is_object()) return fault.corrupt("it is not one JSON object");
  const std::string* kind = json_text(json, "kind");
  if (kind == nullptr || *kind != kStepRecordKind) return fault.corrupt("it is not of a step");
  HF_TRY(check_format_version("step's record", subject, json_version(json), StepRecord::kVersion));
  HF_TRY(check_seal(bytes, json, fault));
  StepRecord record = read_step_record(json, fault);
  if (fault.error) return fail(*std::move(fault.error));
  return record;
}

}  // namespace holdfast
