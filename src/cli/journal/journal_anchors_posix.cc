// SPDX-License-Identifier: Apache-2.0
#include "cli/journal/journal_anchors.h"

namespace holdfast::cli {
namespace {

// The line reaches the command on its standard input; the status is the command's.
constexpr std::string_view kFeed = "printf '%s' \"$1\" | /bin/sh -c \"$2\"";

}  // namespace

Result<std::vector<std::string>> feed_words(std::string_view text, const std::string& line) {
  return std::vector<std::string>{"/bin/sh",         "-c", std::string(kFeed), "sh",
                                  std::string(text), line};
}

}  // namespace holdfast::cli
