// SPDX-License-Identifier: Apache-2.0
#include "format/file/markdown_fence.h"

namespace holdfast {
namespace {

constexpr std::size_t kShortestFence = 3;

}  // namespace

bool FenceTracker::step_at_run(std::string_view line) {
  const char mark = line.front();
  std::size_t length = line.find_first_not_of(mark);
  if (length == line.npos) length = line.size();
  const std::string_view rest = line.substr(length);
  if (open()) {
    const bool closes =
        mark == mark_ && length >= length_ && rest.find_first_not_of(" \t\r") == rest.npos;
    if (closes) length_ = 0;
    return !closes;
  }
  if (length < kShortestFence || (mark == '`' && rest.contains('`'))) return false;
  mark_ = mark;
  length_ = length;
  return false;
}

}  // namespace holdfast
