// SPDX-License-Identifier: Apache-2.0
//
// A BootMoment in a persisted JSON record: `{"boot":"…","boot_ns":…,"timens":…}`, the last where
// the kernel has time namespaces. For the codecs of src/format only.
#pragma once

#include "format/json/json.h"
#include "format/json/record_reader.h"
#include "format/session/harness_record.h"

namespace holdfast {

Json moment_json(const BootMoment& moment);
// The moment at `key`; one that is missing or not as it should be is a fault of `record`.
BootMoment need_moment(RecordReader& record, const char* key);

}  // namespace holdfast
