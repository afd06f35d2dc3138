// SPDX-License-Identifier: Apache-2.0
#include "cli/console.h"

#include "os/env.h"

namespace holdfast::cli {

Result<> ProcessConsole::write(os::Stream stream, std::string_view text) {
  return os::write_stream(stream, text);
}

bool ProcessConsole::is_terminal(os::Stream stream) const { return os::is_terminal(stream); }

std::optional<int> ProcessConsole::columns(os::Stream stream) const {
  return os::terminal_columns(stream);
}

std::optional<std::string> ProcessConsole::env(const char* name) const { return os::env(name); }

}  // namespace holdfast::cli
