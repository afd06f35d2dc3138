// SPDX-License-Identifier: Apache-2.0
#include "os/stream/pipe.h"

#include <algorithm>
#include <array>

namespace holdfast::os {

Result<std::string> read_pipe_to_end(const Handle& read_end, std::size_t max) {
  std::string bytes;
  std::array<char, 4096> buffer{};
  while (bytes.size() < max) {
    const std::size_t room = std::min(buffer.size(), max - bytes.size());
    const std::size_t got = HF_TRY(read_pipe(read_end, std::span(buffer).first(room)));
    if (got == 0) break;
    bytes.append(buffer.data(), got);
  }
  return bytes;
}

}  // namespace holdfast::os
