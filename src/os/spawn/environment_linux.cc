// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/environment_linux.h"

#include <unistd.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "os/path/safe_name.h"

namespace holdfast::os {
namespace {

// execve takes pointers to mutable bytes but does not write to them.
char* unwritten(const std::string& text) { return const_cast<char*>(text.c_str()); }

std::string_view name_in(std::string_view assignment) {
  return assignment.substr(0, assignment.find('='));
}

}  // namespace

Result<> check_environment(const std::vector<std::string>& added) {
  for (const std::string& assignment : added) {
    HF_TRY(check_path_text(assignment));
    const std::size_t name_size = name_in(assignment).size();
    if (name_size > 0 && name_size < assignment.size()) continue;
    return fail({.code = ErrorCode::kRefused,
                 .op = "set in the environment",
                 .subject = "'" + assignment + "'",
                 .cause = "bad-environment",
                 .detail = "it is not NAME=VALUE; nothing was started"});
  }
  return {};
}

std::vector<char*> environment_with(const std::vector<std::string>& added,
                                    const std::vector<std::string>& removed) {
  std::vector<std::string_view> names;
  for (const std::string& assignment : added) names.push_back(name_in(assignment));
  const std::size_t first_removed = names.size();
  for (const std::string& name : removed) names.push_back(name_in(name));
  const auto is_in = [](std::string_view assignment, std::span<const std::string_view> others) {
    const std::string_view name = name_in(assignment);
    return std::ranges::find(others, name) != others.end();
  };
  std::vector<char*> all;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    if (!is_in(*variable, names)) all.push_back(*variable);
  }
  for (std::size_t i = 0; i < added.size(); ++i) {
    const auto later = std::span(names).subspan(i + 1, first_removed - i - 1);
    if (!is_in(added[i], later)) all.push_back(unwritten(added[i]));
  }
  all.push_back(nullptr);
  return all;
}

std::vector<char*> exec_words(const std::vector<std::string>& argv) {
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(unwritten(word));
  words.push_back(nullptr);
  return words;
}

}  // namespace holdfast::os
