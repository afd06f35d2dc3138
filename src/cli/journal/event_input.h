// SPDX-License-Identifier: Apache-2.0
//
// The data of an event as the user gives it: `--data JSON`, `--data @FILE`, `--data -` (stdin), or
// nothing, which is stdin too, unless that is a terminal. Nothing but blanks is an empty object.
#pragma once

#include <optional>
#include <string>

#include "base/event.h"
#include "base/result.h"

namespace holdfast::cli {

// Errors: those of parse_event_data (kCorrupt), and of reading the file or stdin.
Result<EventData> read_event_data(const std::optional<std::string>& option);

}  // namespace holdfast::cli
