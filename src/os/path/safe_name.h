// SPDX-License-Identifier: Apache-2.0
//
// SafeName: one component of a path, proven to be one.
//
// Guarantee: not empty, not "." or "..", no separator, no NUL, at most 255 bytes, and nothing that
// the platform would read as another name (on Windows: no stream colon, no device name, no trailing
// dot or space, valid UTF-8). So joining a SafeName to an open Dir cannot leave that directory.
//
// It says nothing about what lies there: links are the business of Dir. Names of holdfast's own
// things (locks, sessions) are escaped first (format/text/name_escape.h) and always fit.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast::os {

// What every platform agrees on: a short literal of lower-case letters, digits, '.', '_' and '-'.
consteval bool is_plain_name(std::string_view text) {
  if (text.empty() || text.size() > 64 || text == "." || text == ".." || text.back() == '.') {
    return false;
  }
  const std::string_view stem = text.substr(0, text.find('.'));
  for (const std::string_view device : {"con", "prn", "aux", "nul"}) {
    if (stem == device) return false;
  }
  if (stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt"))) return false;
  return text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789._-") ==
         std::string_view::npos;
}

// Defined nowhere: what must call it while it is compiled does not compile.
void not_a_plain_name();

// A name written in the source, checked by the compiler: `dir.make_dir("locks"_name, …)`.
class NameLiteral {
 public:
  explicit consteval NameLiteral(std::string_view text) : text_(text) {
    if (!is_plain_name(text_)) not_a_plain_name();
  }
  [[nodiscard]] constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

consteval NameLiteral operator""_name(const char* text, std::size_t size) {
  return NameLiteral({text, size});
}

class SafeName {
 public:
  // kRefused with cause `unsafe-name` where `text` is not one.
  static Result<SafeName> make(std::string_view text);

  // NOLINTNEXTLINE(google-explicit-constructor)
  SafeName(NameLiteral literal) : text_(literal.text()) {}

  [[nodiscard]] const std::string& str() const { return text_; }
  [[nodiscard]] const char* c_str() const { return text_.c_str(); }
  bool operator==(const SafeName&) const = default;

 private:
  explicit SafeName(std::string_view text) : text_(text) {}

  std::string text_;
};

// A whole path, about to be given to the system as a C string: kRefused, cause `unsafe-name`, where
// it holds a NUL byte, which would silently cut it to another path.
Result<> check_path_text(std::string_view path);

// Why the platform would not take `text` as a name (safe_name_posix.cc, safe_name_win.cc); empty
// where it would.
std::string_view platform_name_fault(std::string_view text);

}  // namespace holdfast::os
