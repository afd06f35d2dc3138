// SPDX-License-Identifier: Apache-2.0
//
// parse_event_data: JSON from outside (`journal append --data`) as the data of an event.
//
// Guarantee: the result says the same as the text. Keys keep their order; texts are spelled in the
// one way of append_json_string; fractions, exponents and whole numbers beyond 64 bits keep their
// exact digits, other whole numbers have one spelling (`-0` becomes `0`). A number that no double
// can hold (1e999) is refused, because readers would differ about it.
//
// Limits: one object, valid UTF-8 (a byte order mark in front is dropped), nested at most 64 deep,
// at most 8 MiB, no key twice in an object (parsers disagree about which one counts). Errors, all
// kCorrupt, with the place in the detail: not-json, not-an-object, duplicate-key, too-deep,
// too-large.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/event.h"
#include "base/result.h"

namespace holdfast {

inline constexpr std::size_t kMaxEventDataBytes = std::size_t{8} * 1024 * 1024;
inline constexpr std::size_t kMaxEventDataDepth = 64;

Result<EventData> parse_event_data(std::string_view json_text);

}  // namespace holdfast
