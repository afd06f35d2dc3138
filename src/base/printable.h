// SPDX-License-Identifier: Apache-2.0
//
// printable: text from outside (paths, names, arguments) made safe to show.
//
// A file may be called "\e[2J"; showing it raw would let its creator drive the operator's terminal,
// and a newline in a name would forge a line of output. Control bytes, DEL, C1 controls, direction
// marks and bytes that are not valid UTF-8 become \xNN; everything else, a backslash included,
// stays as it is. It is for people only: the escape is not reversible and nobody parses it (JSON
// has its own).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holdfast {

std::string printable(std::string_view text);

// The length in bytes of the valid UTF-8 sequence at the front of `text`, or 0 where there is none
// (overlong forms, surrogates, values past U+10FFFF and cut sequences are not valid).
std::size_t utf8_sequence_length(std::string_view text);

bool is_utf8(std::string_view text);

}  // namespace holdfast
