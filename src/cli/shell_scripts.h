// SPDX-License-Identifier: Apache-2.0
//
// The two commands of ours that a shell strings together, as words to run.
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

// What `self` (the words behind these) prints into the helper's `export-sqlite --output OUTPUT`.
Result<std::vector<std::string>> export_words(const std::string& output);

}  // namespace holdfast::cli
