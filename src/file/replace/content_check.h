// SPDX-License-Identifier: Apache-2.0
//
// The checks of content that need no other program: `--check json|jsonl|toml|utf8`.
//
//   json    exactly one JSON value (RFC 8259), blanks around it; no byte order mark
//   jsonl   one JSON value per line, at least one; blank lines and CRLF are tolerated, and the last
//           line needs no newline
//   toml    TOML 1.0, up to 16 MiB (format/text/toml.h has the limits of nesting)
//   utf8    UTF-8: no overlong form, no surrogate, nothing above U+10FFFF, nothing cut off
//
// Guarantee: all `size` bytes are looked at; an empty file is no JSON. Memory stays flat, but for
// TOML and for the longest single string or number of a JSON text, which is held.
//
// Limits of json and jsonl: values nest at most 10 000 deep, and a number that no double can hold
// (1e999) is refused. A key may come twice.
//
// Errors: kCorrupt with cause `check-json`, `check-jsonl`, `check-toml`, `check-utf8`, the detail
// names line and column or the offset of the first bad byte; else what reading the file answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "file/replace/replace.h"
#include "os/file/file.h"

namespace holdfast::file {

Result<> check_json(const os::File& file, std::uint64_t size);
Result<> check_jsonl(const os::File& file, std::uint64_t size);
Result<> check_toml(const os::File& file, std::uint64_t size);
Result<> check_utf8(const os::File& file, std::uint64_t size);

// nullopt where `word` is not the name of one.
std::optional<Check> built_in_check(std::string_view word);

}  // namespace holdfast::file
