// SPDX-License-Identifier: Apache-2.0
//
// Finding and showing a page of the manual. `holdfast CMD --help` and `holdfast help CMD` both end
// here, so their output is the same.
#pragma once

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

}  // namespace holdfast::cli
