// SPDX-License-Identifier: Apache-2.0
#include "os/stream/line_end.h"

namespace holdfast::os {

std::string with_plain_line_ends(std::string printed) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < printed.size(); ++i) {
    const bool ends_a_line = printed[i] == '\r' && i + 1 < printed.size() && printed[i + 1] == '\n';
    if (!ends_a_line) printed[kept++] = printed[i];
  }
  printed.resize(kept);
  return printed;
}

}  // namespace holdfast::os
