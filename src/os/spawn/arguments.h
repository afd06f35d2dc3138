// SPDX-License-Identifier: Apache-2.0
//
// The words that this program was started with, the first one its own name.
//
// POSIX: argv, byte for byte. Windows: the command line, cut into words as every C program there
// does, in UTF-8; argv has them in the code page of the machine, which loses letters. An unpaired
// surrogate comes out as bytes that no strict reader takes (wide_win.h): refused later, not lost.
#pragma once

#include <string>
#include <vector>

namespace holdfast::os {

std::vector<std::string> program_arguments(int argc, char** argv);

}  // namespace holdfast::os
