// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/console.h"

#include "os/spawn/env.h"
#include "os/watch/poll.h"

namespace holdfast::cli {

Result<> ProcessConsole::write(os::Stream stream, std::string_view text) {
  return os::write_stream(stream, text);
}

bool ProcessConsole::is_terminal(os::Stream stream) const { return os::is_terminal(stream); }

std::optional<int> ProcessConsole::columns(os::Stream stream) const {
  return os::terminal_columns(stream);
}

std::optional<std::string> ProcessConsole::env(const char* name) const { return os::env(name); }

ProcessConsole::~ProcessConsole() { static_cast<void>(out_.release()); }

// A pipe's writing end is "readable" exactly when nobody holds the reading end any more. A
// terminal, a file and /dev/null are readable at all times, so they say nothing.
const os::Handle* ProcessConsole::reader_gone() {
  if (reader_ == Reader::kUnknown) {
    const auto at_once = os::is_readable(out_);
    reader_ =
        at_once && !*at_once && !is_terminal(os::Stream::kOut) ? Reader::kShows : Reader::kHides;
  }
  return reader_ == Reader::kShows ? &out_ : nullptr;
}

Result<bool> ProcessConsole::reader_leaves(Duration limit) {
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(limit);
  return os::wait_readable({reader_gone()}, wait);
}

}  // namespace holdfast::cli
