// SPDX-License-Identifier: Apache-2.0
//
// A record with a checksum of itself: the last member of its object is `"crc32c":"e3069283"`, of
// all that stands before it. Without one a flipped bit in the name of a key would make a field
// absent, and a step that was done would be one that never was.
//
// Limits: a record without the member is taken as it is, because those of version 0.1 have none;
// whoever edits one by hand takes the member out. It finds accidents, not forgers.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "format/json/json.h"
#include "format/json/record_reader.h"

namespace holdfast {

// With its newline. `record` is an object with at least one member.
std::string dump_sealed(const Json& record);

// `record` is what `bytes` hold. Corrupt if the checksum is there and is not theirs.
Result<> check_seal(std::string_view bytes, const Json& record, const RecordFault& fault);

}  // namespace holdfast
