// SPDX-License-Identifier: Apache-2.0
//
// A record of the journal as a line of JSON for programs, with the data as it stands in the record:
//
//   {"seq":7,"time":"…","type":"lock.busy","class":"event","writer":"…","boot":"…","data":{…}}
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "format/journal/journal_record.h"

namespace holdfast {

// Appends to `out`, newline included.
void append_json_line(const RecordFields& record, std::string_view data, std::string& out);

WallTime wall_time_of(const RecordFields& record);

}  // namespace holdfast
