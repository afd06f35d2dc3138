// SPDX-License-Identifier: Apache-2.0
#include "os/safe_name.h"

namespace holdfast::os {
namespace {

constexpr std::size_t kMaxBytes = 255;

std::string_view fault_of(std::string_view text) {
  if (text.empty()) return "it is empty";
  if (text == "." || text == "..") return "it names a directory above or itself";
  if (text.find('/') != std::string_view::npos) return "it holds a separator";
  if (text.find('\0') != std::string_view::npos) return "it holds a NUL byte";
  if (text.size() > kMaxBytes) return "it is longer than 255 bytes";
  return platform_name_fault(text);
}

}  // namespace

Result<SafeName> SafeName::make(std::string_view text) {
  const std::string_view fault = fault_of(text);
  if (fault.empty()) return SafeName(text);
  return fail({.code = ErrorCode::kRefused,
               .op = "use the name",
               .subject = "'" + std::string(text) + "'",
               .cause = "unsafe-name",
               .detail = std::string(fault)});
}

}  // namespace holdfast::os
