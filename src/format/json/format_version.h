// SPDX-License-Identifier: Apache-2.0
//
// The version rule that every persisted record follows.
//
// Each record carries `v`. A reader knows versions 1..known:
//   1..known   read it
//   newer      kCannotTell, cause `newer-version`: a later holdfast wrote it. It is not corrupt and
//   is
//              never rewritten; the sentence names the version, so that the user can update.
//   0 or none  kCorrupt, cause `no-version`
// An older program therefore refuses to act on what it does not understand, instead of guessing.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "format/json/json.h"

namespace holdfast {

Result<> check_format_version(std::string_view what, std::string_view subject,
                              std::optional<std::int64_t> found, std::int64_t known);

// The `v` of a JSON record (or what stands for it, under `key`). A number too large for 63 bits is
// still a version, and a newer one: it becomes the largest there is, never a negative or a missing
// one. Nothing, where there is no whole number.
std::optional<std::int64_t> json_version(const Json& record, const char* key = "v");

}  // namespace holdfast
