// SPDX-License-Identifier: Apache-2.0
#include "cli/session/session_log.h"

#include "format/json/json.h"

namespace holdfast::cli {

Result<> LogPrinter::print_line(std::string_view line) {
  const Json json{{"line", line}};
  return context_.stream(json.dump() + "\n");
}

Result<> LogPrinter::print(std::string_view bytes) {
  if (!context_.json()) return context_.stream(bytes);
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    unfinished_ += bytes.substr(0, end);
    if (end == bytes.npos && unfinished_.size() < kMostLine) return {};
    HF_TRY(print_line(unfinished_));
    unfinished_.clear();
    bytes.remove_prefix(end == bytes.npos ? bytes.size() : end + 1);
  }
  return {};
}

Result<> LogPrinter::print_all(session::LogReader& log, Go go) {
  for (;;) {
    const std::string bytes = HF_TRY(log.read_some());
    if (bytes.empty()) {
      if (go == Go::kOn && HF_TRY(log.look_for_more())) continue;
      return context_.flush();
    }
    HF_TRY(print(bytes));
  }
}

Result<> LogPrinter::finish() {
  if (unfinished_.empty()) return {};
  return print_line(unfinished_);
}

}  // namespace holdfast::cli
