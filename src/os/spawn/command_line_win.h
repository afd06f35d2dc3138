// SPDX-License-Identifier: Apache-2.0
//
// One command line out of many words, so that the program gets the same words back; for
// src/os/*/*_win.cc only.
//
// Windows hands a program one string, and the program cuts it up itself. Nearly all do it by the
// rules of CommandLineToArgvW and the C runtime, and those are kept here: backslashes are plain
// unless a quote follows, and a quote inside a word is `\"`. The first word has other rules: there
// a backslash is always plain, so a quote in it cannot be said.
//
// One program is known to read it otherwise: `cmd /s /c LINE` takes off one quote at each end and
// runs what is between as it stands. So where the words are just that, LINE is put between two
// quotes and not touched.
//
// Errors: kRefused `unsafe-name`: a quote in the first word, or a line of more than 32 766
// characters, which is all that Windows takes.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace holdfast::os {

// At least one word; UTF-8.
Result<std::wstring> command_line(const std::vector<std::string>& words);

}  // namespace holdfast::os
