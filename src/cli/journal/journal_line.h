// SPDX-License-Identifier: Apache-2.0
//
// A record of the journal as a line for programs. The data is passed on as it stands in the record.
//
//   JSON {"seq":7,"time":"…","type":"lock.busy","class":"event","writer":"…","boot":"…","data":{…}}
//   CSV   RFC 4180 with the columns of kCsvHeader and LF at the end of a line; data is the JSON
//   text
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "format/journal/journal_record.h"

namespace holdfast::cli {

inline constexpr std::string_view kCsvHeader = "seq,time,type,class,writer,boot,data\n";

// Both append to `out`, newline included.
void append_json_line(const RecordFields& record, std::string_view data, std::string& out);
void append_csv_line(const RecordFields& record, std::string_view data, std::string& out);

// A CSV field: in quotes, and quotes in it doubled, where it needs them.
void append_csv_field(std::string_view text, std::string& out);

WallTime wall_time_of(const RecordFields& record);

}  // namespace holdfast::cli
