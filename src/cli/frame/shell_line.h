// SPDX-License-Identifier: Apache-2.0
//
// shell_line: words as a POSIX shell reads them back, quoted only where they have to be.
#pragma once

#include <span>
#include <string>

namespace holdfast::cli {

std::string shell_line(std::span<const std::string> words);
// The same where the first is a command, which NAME=VALUE would not be.
std::string shell_command(std::span<const std::string> words);

}  // namespace holdfast::cli
