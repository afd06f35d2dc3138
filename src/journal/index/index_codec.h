// SPDX-License-Identifier: Apache-2.0
//
// The bytes of index files: a magic word, the version, the length and CRC-32C of what follows, and
// then numbers as LEB128 and texts with their length. Nothing but exactly that decodes; there is no
// error to tell, because what is not an index is made anew.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "journal/index/index.h"

namespace holdfast::journal {

std::string encode_index(const SegmentIndex& index);
std::optional<SegmentIndex> decode_index(std::string_view bytes);

std::string encode_fields(const FieldIndex& fields);
// Only the columns of `field`; the others are passed over, which is most of the time it takes.
std::optional<FieldIndex> decode_fields(std::string_view bytes, std::string_view field);

}  // namespace holdfast::journal
