// SPDX-License-Identifier: Apache-2.0
//
// What CreateProcessW takes: a command line and an environment; for src/os/*/*_win.cc only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace holdfast::os {

// One command line out of many words, so that the program gets the same words back.
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
//
// At least one word; UTF-8.
Result<std::wstring> command_line(const std::vector<std::string>& words);

// The environment of a new process: this one's own, with `added` (NAME=VALUE) over it and without the
// names of `without`; each entry ends with a NUL, the whole with another.
//
// Names are compared without regard to case, as Windows does, and the block is sorted by them. The
// entries that cmd keeps for itself (`=C:=…`) go along unchanged.
// Errors: kRefused `bad-environment`: not NAME=VALUE; `not-utf8`.
Result<std::wstring> environment_block(const std::vector<std::string>& added,
                                       const std::vector<std::string>& without);

// The PATH that a program is looked up in.
std::optional<std::string> path_with(const std::vector<std::string>& added);

}  // namespace holdfast::os
