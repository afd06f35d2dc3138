// SPDX-License-Identifier: Apache-2.0
//
// A Page as text for a terminal: `holdfast help`. It fits the width of the terminal from 40 columns
// on, 80 where there is none; it is never wider than 80, so that lines stay readable. Lines of code
// are never wrapped.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "cli/frame/context.h"
#include "cli/output/page.h"

namespace holdfast::cli {

// From the columns of the terminal, if there is one.
std::size_t help_width(std::optional<int> columns);

// Headings are painted, and lines wrapped, as `context` says.
std::string help_text(const Page& page, const Context& context);

// What `holdfast` alone prints: three lines, not the manual.
std::string short_usage();

}  // namespace holdfast::cli
