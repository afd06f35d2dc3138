// SPDX-License-Identifier: Apache-2.0
//
// A TimeMark and a DueTime in a persisted JSON record:
//   {"boot":"…","boot_ns":…,"timens":…,"wall":"2026-…Z"}    and the same with "wait_ms".
// For the codecs of src/format only.
#pragma once

#include <optional>

#include "format/json/json.h"
#include "format/json/record_reader.h"
#include "format/session/harness_record.h"
#include "format/text/due_time.h"

namespace holdfast {

// A BootMoment in a persisted JSON record: `{"boot":"…","boot_ns":…,"timens":…}`, the last where
// the kernel has time namespaces. For the codecs of src/format only.
Json moment_json(const BootMoment& moment);
// The moment at `key`; one that is missing or not as it should be is a fault of `record`.
BootMoment need_moment(RecordReader& record, const char* key);

Json mark_json(const TimeMark& mark);
Json due_json(const DueTime& due);
// The one at `key`; one that is missing or not as it should be is a fault of `record`.
TimeMark need_mark(RecordReader& record, const char* key);
// nullopt where the key is missing.
std::optional<DueTime> find_due(RecordReader& record, const char* key);

}  // namespace holdfast
