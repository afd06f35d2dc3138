// SPDX-License-Identifier: Apache-2.0
//
// JsonEvents: the events of nlohmann's parser, brought down to five: scalar, key, open, close,
// fail. Each returns whether to go on. Nothing throws.
//
// A scalar's text is what read_field promises: a string's content, a number's literal, true,
// false, null.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace holdfast::journal {

template <typename Handler>
class JsonEvents {
 public:
  using Json = nlohmann::json;

  explicit JsonEvents(Handler& handler) : handler_(handler) {}

  // NOLINTBEGIN(readability-identifier-naming): the parser's names
  bool null() { return handler_.scalar("null", false); }
  bool boolean(bool value) { return handler_.scalar(value ? "true" : "false", false); }
  // Signed only where there was a minus; the parser has no negative zero among whole numbers.
  bool number_integer(Json::number_integer_t value) {
    return handler_.scalar(value == 0 ? "-0" : std::to_string(value), false);
  }
  bool number_unsigned(Json::number_unsigned_t value) {
    return handler_.scalar(std::to_string(value), false);
  }
  bool number_float(Json::number_float_t, const std::string& literal) {
    return handler_.scalar(literal, false);
  }
  bool string(std::string& text) { return handler_.scalar(text, true); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return handler_.open('{'); }
  bool key(std::string& name) { return handler_.key(name); }
  bool end_object() { return handler_.close('}'); }
  bool start_array(std::size_t) { return handler_.open('['); }
  bool end_array() { return handler_.close(']'); }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) {
    failed_ = true;
    return false;
  }
  // NOLINTEND(readability-identifier-naming)

  // Reads until the handler has enough. false: the text is no JSON up to there.
  bool read(std::string_view text) {
    failed_ = false;
    Json::sax_parse(text.begin(), text.end(), this);
    return !failed_;
  }

 private:
  Handler& handler_;
  bool failed_ = false;
};

}  // namespace holdfast::journal
