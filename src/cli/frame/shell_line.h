// SPDX-License-Identifier: Apache-2.0
//
// Words as shells read them back.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace holdfast::cli {

// `text` as one word for sh, zsh and fish: 'it'\''s'. (fish reads \' outside quotes the same way.)
std::string shell_quoted(std::string_view text);

// Words for a POSIX shell, quoted only where they have to be.
std::string shell_line(std::span<const std::string> words);
// The same where the first is a command, which NAME=VALUE would not be.
std::string shell_command(std::span<const std::string> words);

}  // namespace holdfast::cli
