// SPDX-License-Identifier: Apache-2.0
//
// A long text through the user's pager: $PAGER (a shell line), else `less -FRX`.
//
// Guarantee: whatever goes wrong with a pager, the caller is told that the text is still to be
// shown; nobody is left without it. Signals that arrive meanwhile are the pager's business.
//
// Limit: a pager that shows the text and then fails has it shown twice. Windows has no `less`:
// there only PAGER counts.
#pragma once

#include <string_view>

#include "cli/frame/console.h"

namespace holdfast::cli {

// False: stdout is no terminal or a dumb one, the text fits it, PAGER is `cat` or empty, there is
// no pager, or it failed.
bool shown_in_pager(const Console& console, std::string_view text);

}  // namespace holdfast::cli
