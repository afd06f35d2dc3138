// SPDX-License-Identifier: Apache-2.0
//
// What this program was started with: its environment and its words.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace holdfast::os {

// A variable of the process environment, which is only read. An unset one is nullopt; an empty one is
// an empty string: the difference matters where "set but empty" must not silently mean "default".
// `name` is ASCII. On Windows the value is UTF-8.
std::optional<std::string> env(const char* name);

// The words that this program was started with, the first one its own name.
//
// POSIX: argv, byte for byte. Windows: the command line, cut into words as every C program there
// does, in UTF-8; argv has them in the code page of the machine, which loses letters. An unpaired
// surrogate comes out as bytes that no strict reader takes (wide_win.h): refused later, not lost.
std::vector<std::string> program_arguments(int argc, char** argv);

}  // namespace holdfast::os
