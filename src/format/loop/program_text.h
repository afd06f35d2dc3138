// SPDX-License-Identifier: Apache-2.0
//
// Would a word of a command be run as a program? The text of an item must not stand there: it would
// become code.
//
// Guarantee: for the programs of the table (shells, languages, and tools that hand a line to a
// shell) every form that they take is known: versions in the name (`python3.11`), letters together
// (`-lc`), the value in the same word (`-c{text}`, `--eval={text}`), other options in between, and
// the program behind others (`env`, `timeout 5`, `env -S '…'`).
//
// Limits: what a program that is not in the table (ssh, xargs, a script with `eval`) makes of its
// words is unknown. A program's name as a plain argument is taken for the program.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

// `literal` is what the word `at` begins with, up to its first placeholder.
bool is_program_text(const std::vector<std::string>& words, std::size_t at,
                     std::string_view literal);

}  // namespace holdfast
