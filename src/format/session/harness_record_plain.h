// SPDX-License-Identifier: Apache-2.0
//
// A quick way to read the usual harness record: for who reads a hundred thousand of them.
//
// Guarantee: what it reads is what decode_harness_record reads. It takes exactly the bytes that
// encode_harness_record writes, in their order and without a blank, of a record in which nobody is
// attached, without fields of the harness, and whose texts are ASCII without escapes. Anything else
// (damage, a newer version, a key that is not known) is nothing, and is for the library to judge.
#pragma once

#include <optional>
#include <string_view>

#include "format/session/harness_record.h"

namespace holdfast {

std::optional<HarnessRecord> read_plain_harness_record(std::string_view bytes);

}  // namespace holdfast
