// SPDX-License-Identifier: Apache-2.0
#include "os/path/safe_name.h"

namespace holdfast::os {
namespace {

constexpr std::size_t kMaxBytes = 255;

constexpr std::string_view kHoldsNul = "it holds a NUL byte";

bool holds_nul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

std::string_view fault_of(std::string_view text) {
  if (text.empty()) return "it is empty";
  if (text == "." || text == "..") return "it names a directory above or itself";
  if (text.find('/') != std::string_view::npos) return "it holds a separator";
  if (holds_nul(text)) return kHoldsNul;
  if (text.size() > kMaxBytes) return "it is longer than 255 bytes";
  return platform_name_fault(text);
}

Error safe_name_unsafe(std::string_view op, std::string_view text, std::string_view detail) {
  return {.code = ErrorCode::kRefused,
          .op = std::string(op),
          .subject = "'" + std::string(text) + "'",
          .cause = "unsafe-name",
          .detail = std::string(detail)};
}

}  // namespace

Result<SafeName> SafeName::make(std::string_view text) {
  const std::string_view fault = fault_of(text);
  if (fault.empty()) return SafeName(text);
  return fail(safe_name_unsafe("use the name", text, fault));
}

Result<> check_path_text(std::string_view path) {
  if (!holds_nul(path)) return {};
  return fail(safe_name_unsafe("use the path", path, kHoldsNul));
}

}  // namespace holdfast::os
