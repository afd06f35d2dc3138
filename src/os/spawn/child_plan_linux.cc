// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/child_plan_linux.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <ranges>
#include <span>
#include <string_view>

#include "os/path/safe_name.h"
#include "os/signal/signal_mask_linux.h"
#include "os/spawn/env.h"
#include "os/spawn/program.h"

namespace holdfast::os {
namespace {

std::optional<std::string> path_in(const std::vector<std::string>& added) {
  constexpr std::string_view kName = "PATH=";
  for (const std::string& assignment : std::views::reverse(added)) {
    if (assignment.starts_with(kName)) return assignment.substr(kName.size());
  }
  return env("PATH");
}

// The variables that `list` points to are copied into `bytes`, and it points there.
void own(std::vector<char*>& list, std::string& bytes) {
  std::size_t size = 0;
  for (const char* text : list) size += text == nullptr ? 0 : std::strlen(text) + 1;
  bytes.resize(size);
  char* at = bytes.data();
  for (char*& text : list) {
    if (text == nullptr) continue;
    const std::size_t length = std::strlen(text) + 1;
    std::memcpy(at, text, length);
    text = at;
    at += length;
  }
}

// execve takes pointers to mutable bytes but does not write to them.
char* unwritten(const std::string& text) { return const_cast<char*>(text.c_str()); }

std::string_view name_in(std::string_view assignment) {
  return assignment.substr(0, assignment.find('='));
}

}  // namespace

ChildPlan::ChildPlan(const SpawnRequest& request)
    : searched(request.argv.at(0).find('/') == std::string::npos),
      session(request.session),
      mask(to_sigset(request.signals.blocked)),
      ignore_child_signal(request.signals.child_ignored),
      candidates_(exec_candidates(request.argv[0], path_in(request.environment))),
      words_(request.argv),
      directory_(request.directory.value_or("")) {
  for (const std::string& candidate : candidates_) programs.push_back(candidate.c_str());
  argv = exec_words(words_);
  environment = environment_with(request.environment, request.environment_without);
  own(environment, variables_);
  if (request.directory) directory = directory_.c_str();
  for (const NativeHandle handle : request.inherit) inherit.push_back(static_cast<int>(handle));
}

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
