// SPDX-License-Identifier: Apache-2.0
#include "format/json/json_span.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace holdfast {
namespace {

class Listener final : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::size_t position = 0;  // how many characters were read, the end counted as one
  std::string detail;

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t& /*digits*/) override { return true; }
  bool string(string_t& /*text*/) override { return true; }
  bool binary(binary_t& /*bytes*/) override { return true; }
  bool start_object(std::size_t /*elements*/) override { return true; }
  bool key(string_t& /*name*/) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t /*elements*/) override { return true; }
  bool end_array() override { return true; }

  bool parse_error(std::size_t at, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    position = at;
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error …; last read:
    // 'what may be anything'; expected …"
    std::string_view what = error.what();
    if (const auto colon = what.find(": "); colon != what.npos) what.remove_prefix(colon + 2);
    detail = what.substr(0, what.find("; last read"));
    return false;
  }
};

}  // namespace

std::optional<JsonFault> find_json_fault(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) return JsonFault{.detail = "a byte order mark"};
  if (const std::size_t nul = text.find('\0'); nul != text.npos) {
    return JsonFault{.at = nul, .detail = "a NUL byte"};
  }
  Listener listener;
  if (nlohmann::json::sax_parse(text.begin(), text.end(), &listener)) return std::nullopt;
  const bool at_end = listener.position > text.size();
  return JsonFault{.at = std::min(std::max<std::size_t>(listener.position, 1) - 1, text.size()),
                   .at_end = at_end,
                   .detail = std::move(listener.detail)};
}

}  // namespace holdfast
