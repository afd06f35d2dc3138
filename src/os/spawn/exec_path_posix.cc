// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/exec_path.h"

#include <algorithm>

namespace holdfast::os {

std::vector<std::string> exec_candidates(std::string_view name,
                                         const std::optional<std::string>& path) {
  if (name.empty()) return {};
  if (name.find('/') != std::string_view::npos) return {std::string(name)};
  const std::string_view entries = path ? std::string_view(*path) : "/bin:/usr/bin";
  std::vector<std::string> candidates;
  for (std::size_t start = 0; start <= entries.size();) {
    const std::size_t end = std::min(entries.find(':', start), entries.size());
    if (end > start) {
      std::string candidate(entries.substr(start, end - start));
      if (!candidate.ends_with('/')) candidate += '/';
      candidates.push_back(candidate.append(name));
    }
    start = end + 1;
  }
  return candidates;
}

}  // namespace holdfast::os
