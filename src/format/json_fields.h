// SPDX-License-Identifier: Apache-2.0
//
// Reading persisted JSON with nlohmann: the whole text or nothing, and fields by key and kind. No
// call throws; what is not there, or of another kind, is null.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

// A discarded value (is_object() and all others are false) where `text` is not one JSON value. The
// library takes a NUL byte for the end of the text and would ignore what follows; here it is an
// error.
nlohmann::ordered_json parse_json(std::string_view text);

const std::string* json_text(const nlohmann::ordered_json& object, const char* key);
std::optional<bool> json_flag(const nlohmann::ordered_json& object, const char* key);
// A whole number that is not negative.
std::optional<std::uint64_t> json_count(const nlohmann::ordered_json& object, const char* key);

}  // namespace holdfast
