// SPDX-License-Identifier: Apache-2.0
#include "format/json_fields.h"

#include <nlohmann/json.hpp>

namespace holdfast {

using Json = nlohmann::ordered_json;

Json parse_json(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

const std::string* json_text(const Json& object, const char* key) {
  const auto field = object.find(key);
  return field != object.end() ? field->get_ptr<const std::string*>() : nullptr;
}

std::optional<bool> json_flag(const Json& object, const char* key) {
  const auto field = object.find(key);
  if (field == object.end() || !field->is_boolean()) return std::nullopt;
  return field->get<bool>();
}

std::optional<std::uint64_t> json_count(const Json& object, const char* key) {
  const auto field = object.find(key);
  if (field == object.end() || !field->is_number_unsigned()) return std::nullopt;
  return field->get<std::uint64_t>();
}

}  // namespace holdfast
