// SPDX-License-Identifier: Apache-2.0
#include "cli/journal/journal_line.h"

#include "format/text/rfc3339.h"

namespace holdfast::cli {

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

void append_csv_line(const RecordFields& record, std::string_view data, std::string& out) {
  out.append(std::to_string(record.seq)).append(",");
  out.append(format_rfc3339(wall_time_of(record))).append(",");
  out.append(record.type).append(",");
  out.append(to_text(record.event_class)).append(",");
  out.append(record.writer).append(",");
  out.append(record.boot).append(",");
  append_csv_field(data, out);
  out += '\n';
}

void append_csv_field(std::string_view text, std::string& out) {
  if (text.find_first_of(",\"\r\n") == text.npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

WallTime wall_time_of(const RecordFields& record) {
  constexpr std::int64_t kSecond = 1'000'000;
  return wall_time_from_unix(record.wall_us / kSecond, record.wall_us % kSecond * 1000);
}

}  // namespace holdfast::cli
