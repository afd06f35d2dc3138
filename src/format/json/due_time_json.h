// SPDX-License-Identifier: Apache-2.0
//
// A TimeMark and a DueTime in a persisted JSON record:
//   {"boot":"…","boot_ns":…,"timens":…,"wall":"2026-…Z"}    and the same with "wait_ms".
// For the codecs of src/format only.
#pragma once

#include <optional>

#include "format/json/json.h"
#include "format/json/record_reader.h"
#include "format/text/due_time.h"

namespace holdfast {

Json mark_json(const TimeMark& mark);
Json due_json(const DueTime& due);
// The one at `key`; one that is missing or not as it should be is a fault of `record`.
TimeMark need_mark(RecordReader& record, const char* key);
// nullopt where the key is missing.
std::optional<DueTime> find_due(RecordReader& record, const char* key);

}  // namespace holdfast
