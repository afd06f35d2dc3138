// SPDX-License-Identifier: Apache-2.0
#include "format/json/json_span.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace holdfast {
namespace {

class Listener final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Listener(JsonKeys keys) : keys_(keys) {}

  std::size_t position = 0;  // how many characters were read, the end counted as one
  std::string detail;

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t& /*digits*/) override { return true; }
  bool string(string_t& /*text*/) override { return true; }
  bool binary(binary_t& /*bytes*/) override { return true; }
  bool start_object(std::size_t /*elements*/) override {
    if (keys_ == JsonKeys::kOnce) open_.emplace_back();
    return true;
  }
  bool key(string_t& name) override {
    if (keys_ == JsonKeys::kAsTheyAre || open_.back().insert(name).second) return true;
    detail = "a key is there twice in one object";
    return false;
  }
  bool end_object() override {
    if (keys_ == JsonKeys::kOnce) open_.pop_back();
    return true;
  }
  bool start_array(std::size_t /*elements*/) override { return true; }
  bool end_array() override { return true; }

  bool parse_error(std::size_t at, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    position = at;
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error …; last read:
    // 'what may be anything'; expected …"
    std::string_view what = error.what();
    // "[json.exception.out_of_range.406] number overflow parsing '1e400'"
    constexpr std::string_view kTooLarge = "number overflow parsing ";
    if (const auto found = what.find(kTooLarge); found != what.npos) {
      constexpr std::size_t kMostDigits = 40;
      detail = "a number is too large for a double: ";
      detail += what.substr(found + kTooLarge.size()).substr(0, kMostDigits);
      return false;
    }
    if (const auto colon = what.find(": "); colon != what.npos) what.remove_prefix(colon + 2);
    detail = what.substr(0, what.find("; last read"));
    return false;
  }

 private:
  JsonKeys keys_;
  std::vector<std::set<std::string>> open_;  // the keys so far, of each object that is open
};

}  // namespace

std::optional<JsonFault> find_json_fault(std::string_view text, JsonKeys keys) {
  if (text.starts_with("\xEF\xBB\xBF")) return JsonFault{.detail = "a byte order mark"};
  if (const std::size_t nul = text.find('\0'); nul != text.npos) {
    return JsonFault{.at = nul, .detail = "a NUL byte"};
  }
  Listener listener(keys);
  if (nlohmann::json::sax_parse(text.begin(), text.end(), &listener)) return std::nullopt;
  const bool at_end = listener.position > text.size();
  return JsonFault{.at = std::min(std::max<std::size_t>(listener.position, 1) - 1, text.size()),
                   .at_end = at_end,
                   .detail = std::move(listener.detail)};
}

}  // namespace holdfast
