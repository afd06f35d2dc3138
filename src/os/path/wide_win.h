// SPDX-License-Identifier: Apache-2.0
//
// UTF-8 outside, UTF-16 inside; for src/os/*/*_win.cc only.
//
// Strict on the way in: text that is not valid UTF-8 is refused, never mended, since a mended name
// is another name. Lossless on the way out: Windows allows unpaired surrogates in names and values;
// they come out as the three bytes that their number would have, which no strict reader (is_utf8,
// SafeName, to_wide) takes for text. So such a thing is seen and refused, not lost or renamed.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast::os {

// kRefused with cause `not-utf8`.
Result<std::wstring> to_wide(std::string_view utf8);

std::string from_wide(std::wstring_view wide);

}  // namespace holdfast::os
