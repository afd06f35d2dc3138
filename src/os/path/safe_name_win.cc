// SPDX-License-Identifier: Apache-2.0
//
// What Windows would read as another name than the one written.
//
// The device names are refused with any extension: before Windows 11 `nul.txt` is the device too.
// The superscript digits ¹ ² ³ count as digits there. Spaces before the dot do not help: `con .txt`
// is the console.
#include <algorithm>
#include <array>

#include "base/printable.h"
#include "os/path/safe_name.h"

namespace holdfast::os {
namespace {

char safe_name_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_device_digit(std::string_view text) {
  if (text.size() == 1) return text[0] >= '0' && text[0] <= '9';
  return text == "\u00B9" || text == "\u00B2" || text == "\u00B3";
}

bool is_device(std::string_view text) {
  std::string stem(text.substr(0, text.find('.')));
  while (stem.ends_with(' ')) stem.pop_back();
  std::ranges::transform(stem, stem.begin(), safe_name_lower);
  constexpr std::array<std::string_view, 6> kDevices{"con", "prn",    "aux",
                                                     "nul", "conin$", "conout$"};
  if (std::ranges::find(kDevices, stem) != kDevices.end()) return true;
  const std::string_view kind = std::string_view(stem).substr(0, 3);
  return (kind == "com" || kind == "lpt") && is_device_digit(std::string_view(stem).substr(3));
}

}  // namespace

std::string_view platform_name_fault(std::string_view text) {
  if (!is_utf8(text)) return "it is not valid UTF-8";
  if (text.find_first_of(R"(\/:*?"<>|)") != std::string_view::npos) {
    return R"(it holds one of \ / : * ? " < > |)";
  }
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
  if (std::ranges::any_of(text, is_control)) return "it holds a control character";
  if (text.ends_with('.') || text.ends_with(' ')) return "it ends in a dot or a space";
  if (is_device(text)) return "Windows takes it for a device";
  return {};
}

}  // namespace holdfast::os
