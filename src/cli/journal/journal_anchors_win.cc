// SPDX-License-Identifier: Apache-2.0
#include "cli/journal/journal_anchors.h"

namespace holdfast::cli {

Result<std::vector<std::string>> feed_words(std::string_view /*text*/, const std::string& line) {
  return fail({.code = ErrorCode::kRefused,
               .op = "deliver the anchor to the command",
               .subject = line,
               .cause = "unsupported",
               .detail = "there are no anchors to commands on Windows; give a file"});
}

}  // namespace holdfast::cli
