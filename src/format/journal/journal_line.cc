// SPDX-License-Identifier: Apache-2.0
#include "format/journal/journal_line.h"

#include "format/text/rfc3339.h"

namespace holdfast {

// Type, class, writer and boot have spellings that need no escape in either format.
void append_json_line(const RecordFields& record, std::string_view data, std::string& out) {
  out.append("{\"seq\":").append(std::to_string(record.seq));
  out.append(",\"time\":\"").append(format_rfc3339(wall_time_of(record)));
  out.append("\",\"type\":\"").append(record.type);
  out.append("\",\"class\":\"").append(to_text(record.event_class));
  out.append("\",\"writer\":\"").append(record.writer);
  out.append("\",\"boot\":\"").append(record.boot);
  out.append("\",\"data\":").append(data).append("}\n");
}

WallTime wall_time_of(const RecordFields& record) {
  constexpr std::int64_t kSecond = 1'000'000;
  return wall_time_from_unix(record.wall_us / kSecond, record.wall_us % kSecond * 1000);
}

}  // namespace holdfast
