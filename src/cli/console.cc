// SPDX-License-Identifier: Apache-2.0
#include "cli/console.h"

#include "os/env.h"
#include "os/poll.h"

namespace holdfast::cli {

Result<> ProcessConsole::write(os::Stream stream, std::string_view text) {
  return os::write_stream(stream, text);
}

bool ProcessConsole::is_terminal(os::Stream stream) const { return os::is_terminal(stream); }

std::optional<int> ProcessConsole::columns(os::Stream stream) const {
  return os::terminal_columns(stream);
}

std::optional<std::string> ProcessConsole::env(const char* name) const { return os::env(name); }

// A pipe's writing end is "readable" exactly when nobody holds the reading end any more. A
// terminal, a file and /dev/null are readable at all times, so they say nothing.
Result<bool> ProcessConsole::reader_leaves(Duration limit) {
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(limit);
  os::Handle out(static_cast<os::NativeHandle>(os::Stream::kOut));
  if (reader_ == Reader::kUnknown) {
    const auto at_once = os::is_readable(out);
    reader_ =
        at_once && !*at_once && !is_terminal(os::Stream::kOut) ? Reader::kShows : Reader::kHides;
  }
  Result<bool> left =
      reader_ == Reader::kShows ? os::wait_readable({&out}, wait) : os::wait_readable({}, wait);
  static_cast<void>(out.release());  // it stays open: stdout is not ours to close
  if (left && reader_ == Reader::kHides) return false;
  return left;
}

}  // namespace holdfast::cli
