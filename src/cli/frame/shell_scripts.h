// SPDX-License-Identifier: Apache-2.0
//
// A text fed to a shell command, as words to run.
//
// Windows has no such shell: kRefused `unsupported`, and nothing was done.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holdfast::cli {

// `text` on the standard input of the shell command `line`; the status is the command's.
Result<std::vector<std::string>> feed_words(std::string_view text, const std::string& line);

}  // namespace holdfast::cli
