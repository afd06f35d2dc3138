// SPDX-License-Identifier: Apache-2.0
#include "cli/hook/hook_order.h"

#include <algorithm>
#include <string>

#include "cli/frame/option_value.h"

namespace holdfast::cli {
namespace {

std::string all_words() {
  std::string words;
  for (const ExitCodeInfo& known : kExitCodes) {
    if (can_be_allowed(known.code)) words += (words.empty() ? "" : ", ") + std::string(known.name);
  }
  return words;
}

}  // namespace

bool can_be_allowed(ExitCode code) {
  return code != ExitCode::kDone && code != ExitCode::kUsage && code != ExitCode::kInternal;
}

Result<std::vector<ExitCode>> hook_allow_value(std::string_view text) {
  std::vector<ExitCode> codes;
  for (;;) {
    const std::size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    const auto* const found = std::ranges::find(kExitCodes, word, &ExitCodeInfo::name);
    if (found == kExitCodes.end() || !can_be_allowed(found->code)) {
      return bad_value("hook-allow", word,
                       "the answers are " + all_words() + ", separated by commas");
    }
    codes.push_back(found->code);
    if (comma == text.npos) return codes;
    text.remove_prefix(comma + 1);
  }
}

std::string_view answer_name(int code) {
  const auto* const found = std::ranges::find(
      kExitCodes, code, [](const ExitCodeInfo& known) { return to_int(known.code); });
  return found == kExitCodes.end() ? std::string_view() : found->name;
}

}  // namespace holdfast::cli
