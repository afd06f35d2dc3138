// SPDX-License-Identifier: Apache-2.0
//
// Colour: only on a terminal, only where NO_COLOR is unset or empty and TERM is not `dumb`.
#pragma once

#include <string>
#include <string_view>

#include "cli/frame/console.h"
#include "cli/frame/context.h"

namespace holdfast::cli {

bool colour_wanted(const Console& console, os::Stream stream);

// Always with the escape sequences; ask colour_wanted first.
std::string painted(Context::Paint paint, std::string_view text);

}  // namespace holdfast::cli
