// SPDX-License-Identifier: Apache-2.0
//
// The environment of a new process, in the form that CreateProcessW takes; for src/os/*/*_win.cc
// only.
//
// Names are compared without regard to case, as Windows does, and the block is sorted by them. The
// entries that cmd keeps for itself (`=C:=…`) go along unchanged.
// Errors: kRefused `bad-environment`: not NAME=VALUE; `not-utf8`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace holdfast::os {

// This process's own, with `added` (NAME=VALUE) over it and without the names of `without`; each
// entry ends with a NUL, the whole with another.
Result<std::wstring> environment_block(const std::vector<std::string>& added,
                                       const std::vector<std::string>& without);

// The PATH that a program is looked up in.
std::optional<std::string> path_with(const std::vector<std::string>& added);

}  // namespace holdfast::os
