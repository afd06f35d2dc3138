// SPDX-License-Identifier: Apache-2.0
//
// Code fences of Markdown, as CommonMark defines them at the top level: up to three spaces, then
// three or more backticks (the rest of the line has none) or tildes; closed by a line of at least
// as many of the same character and nothing else; one that is not closed reaches to the end.
//
// Limit: fences inside block quotes, and in list items whose text is indented by four columns or
// more, are not seen.
#pragma once

#include <cstddef>
#include <string_view>

namespace holdfast {

class FenceTracker {
 public:
  // Takes the next line, without its line end. True: it lies inside a fence.
  bool step(std::string_view line) {
    std::size_t indent = 0;
    while (indent < 4 && indent < line.size() && line[indent] == ' ') ++indent;
    const bool candidate =
        indent < 4 && indent < line.size() && (line[indent] == '`' || line[indent] == '~');
    return candidate ? step_at_run(line.substr(indent)) : open();
  }

  // Would the next line lie inside a fence?
  [[nodiscard]] bool open() const { return length_ > 0; }

 private:
  bool step_at_run(std::string_view line);

  char mark_ = '\0';
  std::size_t length_ = 0;  // of the run that opened it; 0: none is open
};

}  // namespace holdfast
