// SPDX-License-Identifier: Apache-2.0
#include "format/json/due_time.h"

#include <algorithm>
#include <limits>

#include "format/json/json.h"
#include "format/json/record_writer.h"

namespace holdfast {
namespace {

using Ticks = Duration::rep;

// A record may say anything: what does not fit becomes the nearest that does.
Ticks difference(Ticks a, Ticks b) {
  Ticks out = 0;
  if (!__builtin_sub_overflow(a, b, &out)) return out;
  return b < 0 ? std::numeric_limits<Ticks>::max() : std::numeric_limits<Ticks>::min();
}

Ticks sum(Ticks a, Ticks b) {
  Ticks out = 0;
  if (!__builtin_add_overflow(a, b, &out)) return out;
  return b > 0 ? std::numeric_limits<Ticks>::max() : std::numeric_limits<Ticks>::min();
}

}  // namespace

Duration passed_since(const TimeMark& mark, const TimeMark& now) {
  const Ticks by_wall =
      difference(now.wall.time_since_epoch().count(), mark.wall.time_since_epoch().count());
  Ticks passed = std::max<Ticks>(by_wall, 0);
  if (mark.moment.boot != now.moment.boot) {
    passed = std::max<Ticks>(passed, now.moment.boot_ns);
  } else if (mark.moment.timens == now.moment.timens) {
    passed = std::max<Ticks>(difference(now.moment.boot_ns, mark.moment.boot_ns), 0);
  }
  return Duration(passed);
}

TimeMark later(const TimeMark& mark, Duration by) {
  TimeMark moved = mark;
  moved.moment.boot_ns = sum(mark.moment.boot_ns, by.count());
  moved.wall = WallTime(Duration(sum(mark.wall.time_since_epoch().count(), by.count())));
  return moved;
}

Duration left_of(const DueTime& due, const TimeMark& now) {
  const Ticks left = difference(due.wait.count(), passed_since(due.from, now).count());
  return Duration(std::max<Ticks>(left, 0));
}

WallTime wall_of(const DueTime& due, const TimeMark& now) {
  return WallTime(Duration(sum(now.wall.time_since_epoch().count(), left_of(due, now).count())));
}

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
