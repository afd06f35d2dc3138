// SPDX-License-Identifier: Apache-2.0
//
// Any bytes in JSON, reversibly: valid UTF-8 is a string, anything else is {"hex":"ff00"}. A
// program's arguments, its environment and its directory need not be text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "format/json/json.h"

namespace holdfast {

Json bytes_to_json(std::string_view bytes);
// The same, spelled, behind `json`; quick where nothing is to be escaped.
void append_json_bytes(std::string& json, std::string_view bytes);
// nullopt where it is neither; also for {"hex":…} of what is valid UTF-8, so that there is one
// spelling.
std::optional<std::string> bytes_from_json(const Json& value);

}  // namespace holdfast
