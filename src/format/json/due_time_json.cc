// SPDX-License-Identifier: Apache-2.0
#include "format/json/due_time_json.h"

#include "format/json/json.h"
#include "format/json/record_writer.h"

namespace holdfast {

Json moment_json(const BootMoment& moment) {
  Json json{{"boot", to_hex(moment.boot)}, {"boot_ns", moment.boot_ns}};
  if (moment.timens != 0) json["timens"] = moment.timens;
  if (moment.machine != Id128{}) json["machine"] = to_hex(moment.machine);
  return json;
}

BootMoment need_moment(RecordReader& record, const char* key) {
  auto read = record.need_object(key);
  if (!read) return {};
  BootMoment moment{.boot = read->id("boot")};
  const auto at = read->find_signed("boot_ns");
  if (!at || *at < 0) read->wrong("boot_ns");
  moment.boot_ns = at.value_or(0);
  moment.timens = read->find_count("timens").value_or(0);
  if (read->find_text("machine")) moment.machine = read->id("machine");
  return moment;
}

Json mark_json(const TimeMark& mark) {
  Json json = moment_json(mark.moment);
  json["wall"] = format_rfc3339(mark.wall);
  return json;
}

Json due_json(const DueTime& due) {
  Json json = mark_json(due.from);
  json["wait_ms"] = RecordWriter::milliseconds(due.wait);
  return json;
}

TimeMark need_mark(RecordReader& record, const char* key) {
  TimeMark mark{.moment = need_moment(record, key)};
  if (auto read = record.need_object(key)) mark.wall = read->time("wall");
  return mark;
}

std::optional<DueTime> find_due(RecordReader& record, const char* key) {
  if (record.find_object(key) == nullptr) return std::nullopt;
  DueTime due{.from = need_mark(record, key)};
  if (auto read = record.need_object(key)) due.wait = read->duration("wait_ms");
  return due;
}

}  // namespace holdfast
