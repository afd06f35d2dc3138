// SPDX-License-Identifier: Apache-2.0
//
// Finding and showing a page of the manual. `holdfast CMD --help` and `holdfast help CMD` both end
// here, so their output is the same.
//
// As text it fits the width of the terminal from 40 columns on, 80 where there is none; it is never
// wider than 80, so that lines stay readable. Lines of code are never wrapped.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "cli/frame/context.h"
#include "cli/output/page.h"

namespace holdfast::cli {

// No words: the overview. Else a command, a group or a topic, in this order.
// Errors: kUsage, cause `unknown-topic`, with the nearest name where one is near.
Result<Page> find_page(const CommandTable& table, std::span<const std::string> words);

// On stdout; with --json as the fields `topic` and `text`.
void show_page(Context& context, const Page& page);

// From the columns of the terminal, if there is one.
std::size_t help_width(std::optional<int> columns);

// Headings are painted, and lines wrapped, as `context` says.
std::string help_text(const Page& page, const Context& context);

// The column at which the explanations of `terms` start, and one of them with its explanation.
std::size_t term_column(std::span<const Block> terms, std::size_t width);
std::string term_line(const Block& block, std::size_t column, std::size_t width);

// What `holdfast` alone prints: three lines, not the manual.
std::string short_usage();

}  // namespace holdfast::cli
