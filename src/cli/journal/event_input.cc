// SPDX-License-Identifier: Apache-2.0
#include "cli/journal/event_input.h"

#include "cli/frame/user_file.h"
#include "format/journal/event_type.h"
#include "os/stream/stdio.h"

namespace holdfast::cli {
namespace {

Result<std::string> text_of(const std::optional<std::string>& option) {
  if (option && option->starts_with('@')) {
    return read_user_file(option->substr(1), kMaxEventDataBytes);
  }
  if (option && *option != "-") return *option;
  if (!option && os::is_terminal(os::Stream::kIn)) return std::string();
  return os::read_stdin(kMaxEventDataBytes);
}

}  // namespace

Result<EventData> read_event_data(const std::optional<std::string>& option) {
  const std::string text = HF_TRY(text_of(option));
  if (text.find_first_not_of(" \t\r\n") == text.npos) return EventData();
  return parse_event_data(text);
}

}  // namespace holdfast::cli
