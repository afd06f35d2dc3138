// SPDX-License-Identifier: Apache-2.0
#include "format/session/series_record.h"

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

constexpr std::string_view kSeriesRecordKind = "holdfast-series";
constexpr std::array<std::string_view, kSeriesProgresses> kProgresses{"not-asked", "moved", "idle",
                                                                      "cannot-tell"};
constexpr std::array<std::string_view, kSeriesReasons> kReasons{
    "reached", "iterations", "plateau", "errors", "deadline", "cannot-tell", "interrupted"};
constexpr std::uint64_t kSeriesRecordMostCode = 255;
constexpr std::uint64_t kSeriesRecordMostSignal = 127;

template <typename T, std::size_t N>
std::optional<T> parse_word(const std::array<std::string_view, N>& words, std::string_view text) {
  const auto* const found = std::ranges::find(words, text);
  if (found == words.end()) return std::nullopt;
  return static_cast<T>(found - words.begin());
}

// --- writing

Json series_end_json(const SeriesEnd& end) {
  Json json{{"n", end.n}, {"run", to_hex(end.run)}};
  RecordWriter write(json);
  write.time("began", end.began);
  write.time("ended", end.ended);
  json["state"] = to_text(end.state);
  write.plain("exit_code", end.exit_code);
  write.plain("signal", end.signal);
  json["code"] = end.code;
  if (end.asked) json["asked"] = true;
  if (end.progress != SeriesProgress::kNotAsked) json["progress"] = to_text(end.progress);
  return json;
}

Json series_pending_json(const SeriesPending& pending) {
  Json json{{"n", pending.n}, {"run", to_hex(pending.run)}, {"begun", pending.begun}};
  RecordWriter write(json);
  write.time("since", pending.since);
  return json;
}

// --- reading

SeriesEnd read_series_end(const Json& object, RecordFault& fault) {
  RecordReader read(object, fault);
  SeriesEnd end{.n = read.count("n", 1)};
  end.run = read.id("run");
  end.began = read.find_time("began");
  end.ended = read.find_time("ended");
  const auto state = parse_session_state(read.text("state"));
  if (!state || !is_final(*state)) read.wrong("state");
  end.state = state.value_or(SessionState::kLost);
  end.exit_code = read.find_int("exit_code", 0, kSeriesRecordMostCode);
  end.signal = read.find_int("signal", 1, kSeriesRecordMostSignal);
  end.code = static_cast<int>(read.count("code", 0, kSeriesRecordMostCode));
  end.asked = read.find_flag("asked").value_or(false);
  if (const auto word = read.find_text("progress")) {
    const auto progress = parse_word<SeriesProgress>(kProgresses, *word);
    if (!progress) read.wrong("progress");
    end.progress = progress.value_or(SeriesProgress::kCannotTell);
  }
  return end;
}

SeriesPending read_series_pending(const Json& object, RecordFault& fault) {
  RecordReader read(object, fault);
  SeriesPending pending{.n = read.count("n", 1)};
  pending.run = read.id("run");
  pending.begun = read.flag("begun");
  pending.since = read.time("since");
  return pending;
}

std::vector<SeriesEnd> read_history(const Json& json, RecordFault& fault) {
  std::vector<SeriesEnd> history;
  const Json* field = json.find("history");
  if (field == nullptr) return history;
  if (!field->is_array() || field->size() > kMaxSeriesHistory) {
    fault.wrong("history");
    return history;
  }
  for (const Json& element : *field) {
    if (!element.is_object()) fault.wrong("history");
    if (element.is_object()) history.push_back(read_series_end(element, fault));
  }
  return history;
}

SeriesRecord read_series_record(const Json& json, RecordFault& fault) {
  RecordReader read(json, fault);
  SeriesRecord record;
  record.name = read.text("name");
  if (record.name.empty() || record.name.size() > kMaxRawName) read.wrong("name");
  record.since = need_mark(read, "since");
  record.command = read.list("command");
  if (record.command.empty()) read.wrong("command");
  record.directory = read.word("directory");
  record.iterations = read.count("iterations", 1);
  record.done = read.count("done");
  record.errors = read.find_count("errors").value_or(0);
  record.idle = read.find_count("idle").value_or(0);
  record.unknown = read.find_count("unknown").value_or(0);
  if (const auto hex = read.find_text("mark")) {
    record.mark = parse_digest_hex(*hex);
    if (!record.mark) read.wrong("mark");
  }
  if (const Json* pending = read.find_object("pending")) {
    record.pending = read_series_pending(*pending, fault);
  }
  if (const auto word = read.find_text("over")) {
    record.over = parse_word<SeriesReason>(kReasons, *word);
    if (!record.over || !is_over(*record.over)) read.wrong("over");
  }
  record.code = read.find_int("code", 0, kSeriesRecordMostCode);
  record.answered = read.find_flag("answered").value_or(false);
  record.history = read_history(json, fault);
  return record;
}

}  // namespace

std::string_view to_text(SeriesProgress progress) {
  return kProgresses[static_cast<std::size_t>(progress)];
}
std::string_view to_text(SeriesReason reason) { return kReasons[static_cast<std::size_t>(reason)]; }

std::string encode_series_record(const SeriesRecord& record) {
  Json json;
  RecordWriter write(json);
  json["v"] = SeriesRecord::kVersion;
  json["kind"] = kSeriesRecordKind;
  json["name"] = bytes_to_json(record.name);
  json["since"] = mark_json(record.since);
  write.list("command", record.command);
  write.word("directory", record.directory);
  json["iterations"] = record.iterations;
  json["done"] = record.done;
  if (record.errors != 0) json["errors"] = record.errors;
  if (record.idle != 0) json["idle"] = record.idle;
  if (record.unknown != 0) json["unknown"] = record.unknown;
  if (record.mark) json["mark"] = to_hex(*record.mark);
  if (record.pending) json["pending"] = series_pending_json(*record.pending);
  if (record.over) json["over"] = to_text(*record.over);
  write.plain("code", record.code);
  if (record.answered) json["answered"] = true;
  if (!record.history.empty()) {
    Json& list = json["history"] = Json::array();
    for (const SeriesEnd& end : record.history) list.push_back(series_end_json(end));
  }
  return dump_sealed(json);
}

Result<SeriesRecord> decode_series_record(std::string_view bytes, std::string_view subject) {
  RecordFault fault{
      .op = "read the series' record", .cause = "bad-series-record", .subject = subject};
  if (bytes.size() > kMaxSeriesRecordBytes) return fault.corrupt("it is longer than 8 MiB");
  const Json json = parse_json(bytes);
  if (!json.is_object()) return fault.corrupt("it is not one JSON object");
  const std::string* kind = json_text(json, "kind");
  if (kind == nullptr || *kind != kSeriesRecordKind) return fault.corrupt("it is not of a series");
  HF_TRY(
      check_format_version("series' record", subject, json_version(json), SeriesRecord::kVersion));
  HF_TRY(check_seal(bytes, json, fault));
  SeriesRecord record = read_series_record(json, fault);
  if (fault.error) return fail(*std::move(fault.error));
  return record;
}

}  // namespace holdfast
