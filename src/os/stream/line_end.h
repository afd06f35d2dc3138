// SPDX-License-Identifier: Apache-2.0
//
// What a command printed as lines, with each line ended by a newline alone. Programs of Windows,
// cmd first of all, end a line in CR LF: there a CR right before a newline is no part of the line.
// On Linux a CR is a byte like any other, and nothing is changed.
#pragma once

#include <string>

namespace holdfast::os {

std::string with_plain_line_ends(std::string printed);

}  // namespace holdfast::os
