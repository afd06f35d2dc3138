// SPDX-License-Identifier: Apache-2.0
//
// read_field: one field out of the data of a record.
//
// The answer is a text: the content of a string, the literal of a number as it stands, `true`,
// `false`, `null`; an object or an array as compact JSON. Nothing, where the path leads nowhere. A
// path component is a key of an object, or the number (from 0) of an array's element; of two equal
// keys the first counts. An empty path is the whole data.
//
// Only what is needed is read: data that is broken behind the field may not be noticed. Broken
// before it: kCorrupt, cause `bad-data`.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast::journal {

Result<std::optional<std::string>> read_field(std::string_view data_json,
                                              std::span<const std::string> path);

}  // namespace holdfast::journal
