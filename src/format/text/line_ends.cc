// SPDX-License-Identifier: Apache-2.0
#include "format/text/line_ends.h"

namespace holdfast {

LineEnds count_line_ends(std::string_view text) {
  LineEnds count;
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) {
    ++(at > 0 && text[at - 1] == '\r' ? count.crlf : count.lf);
  }
  return count;
}

std::string with_line_ends(std::string_view text, std::string_view line_end) {
  std::string out;
  out.reserve(text.size() + line_end.size());
  while (!text.empty()) {
    const std::size_t at = text.find('\n');
    std::string_view line = text.substr(0, at);
    while (line.ends_with('\r')) line.remove_suffix(1);
    out.append(line).append(line_end);
    text.remove_prefix(at == text.npos ? text.size() : at + 1);
  }
  return out;
}

}  // namespace holdfast
