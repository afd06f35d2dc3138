// SPDX-License-Identifier: Apache-2.0
//
// The one place where an Error becomes what people see: `holdfast: cannot …`, one line on stderr.
// Where stderr itself cannot be written there is nobody left to tell; the exit status remains.
#pragma once

#include <string_view>

#include "base/error.h"
#include "cli/frame/console.h"

namespace holdfast::cli {

void render_error(Console& console, const Error& error);

// `holdfast: LINE`; the caller made the line safe for a terminal (base/printable.h).
void write_diagnostic(Console& console, std::string_view line);

}  // namespace holdfast::cli
