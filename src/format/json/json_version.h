// SPDX-License-Identifier: Apache-2.0
//
// The `v` of a JSON record (or what stands for it, under `key`). A number too large for 63 bits is
// still a version, and a newer one: it becomes the largest there is, never a negative or a missing
// one. Nothing, where there is no whole number.
#pragma once

#include <cstdint>
#include <optional>

#include "format/json/json.h"

namespace holdfast {

std::optional<std::int64_t> json_version(const Json& record, const char* key = "v");

}  // namespace holdfast
