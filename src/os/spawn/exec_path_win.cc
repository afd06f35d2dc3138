// SPDX-License-Identifier: Apache-2.0
//
// A name with a separator or a drive is used as it is; any other is tried in each entry of PATH,
// and nowhere else: not in the current directory and not beside this program, where CreateProcessW
// itself would look first. PATH is cut at ';', and an entry may stand in quotes. Without PATH there
// is nothing to search.
//
// Where the name has not the ending of a program, `.exe` and `.com` are tried. A `.bat` or `.cmd`
// is not run: it would be handed to cmd, which reads the words of a command line by rules of its
// own, so that a word could become a command. Who wants one says `cmd /c`.
#include "os/spawn/exec_path.h"

#include <algorithm>

namespace holdfast::os {
namespace {

bool exec_path_ends_like_a_program(std::string_view name) {
  if (name.size() < 4) return false;
  std::string ending(name.substr(name.size() - 4));
  std::ranges::transform(ending, ending.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return ending == ".exe" || ending == ".com";
}

void add_endings(std::vector<std::string>& candidates, const std::string& path) {
  if (exec_path_ends_like_a_program(path)) {
    candidates.push_back(path);
    return;
  }
  candidates.push_back(path + ".exe");
  candidates.push_back(path + ".com");
}

}  // namespace

std::vector<std::string> exec_candidates(std::string_view name,
                                         const std::optional<std::string>& path) {
  std::vector<std::string> candidates;
  if (name.empty()) return candidates;
  if (name.find_first_of("/\\:") != std::string_view::npos) {
    add_endings(candidates, std::string(name));
    return candidates;
  }
  const std::string_view entries = path ? std::string_view(*path) : std::string_view();
  for (std::size_t start = 0; start <= entries.size();) {
    const std::size_t end = std::min(entries.find(';', start), entries.size());
    std::string_view entry = entries.substr(start, end - start);
    if (entry.size() >= 2 && entry.front() == '"' && entry.back() == '"') {
      entry = entry.substr(1, entry.size() - 2);
    }
    if (!entry.empty()) {
      std::string candidate(entry);
      if (!candidate.ends_with('/') && !candidate.ends_with('\\')) candidate += '\\';
      add_endings(candidates, candidate.append(name));
    }
    start = end + 1;
  }
  return candidates;
}

}  // namespace holdfast::os
