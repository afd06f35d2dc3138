// SPDX-License-Identifier: Apache-2.0
#include "proc/tree/process_table.h"

#include <map>

namespace holdfast::proc {

std::vector<ProcessFacts> descendants_of(os::Pid root, const std::vector<ProcessFacts>& table) {
  std::multimap<os::Pid, const ProcessFacts*> children;
  for (const ProcessFacts& facts : table) children.emplace(facts.parent, &facts);
  std::vector<ProcessFacts> found;
  // Each row has one parent and is taken out when visited, so a table that contradicts itself
  // (numbers recycled while it was read) cannot lead in a circle.
  const auto take = [&](os::Pid parent) {
    const auto [first, last] = children.equal_range(parent);
    for (auto it = first; it != last; ++it) found.push_back(*it->second);
    children.erase(first, last);
  };
  take(root);
  for (std::size_t next = 0; next < found.size(); ++next) take(found[next].pid);
  return found;
}

}  // namespace holdfast::proc
