// SPDX-License-Identifier: Apache-2.0
//
// JsonText: rebuilds the compact text of a JSON value from the events of a parser, and JsonEvents,
// the parser's side of it: one place that knows how scalars are spelled.
//
// Scalars are spelled as read_field promises: numbers by their literal as far as the parser tells
// (it keeps that of fractions and exponents; whole numbers have one spelling, "-0" apart).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/event.h"

namespace holdfast::journal {

class JsonText {
 public:
  void scalar(std::string_view text, bool is_string) {
    comma();
    if (is_string) {
      append_json_string(text, text_);
    } else {
      text_ += text;
    }
  }
  void key(std::string_view name) {
    comma();
    append_json_string(name, text_);
    text_ += ':';
    fresh_ = true;
  }
  void open(char bracket) {
    comma();
    text_ += bracket;
    fresh_ = true;
    ++depth_;
  }
  void close(char bracket) {
    text_ += bracket;
    fresh_ = false;
    --depth_;
  }

  [[nodiscard]] bool whole() const { return depth_ == 0; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void comma() {
    if (!fresh_) text_ += ',';
    fresh_ = false;
  }

  std::string text_;
  std::size_t depth_ = 0;
  bool fresh_ = true;  // nothing stands before in this object or array
};

}  // namespace holdfast::journal
