// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/child_plan_linux.h"

#include <cstring>
#include <optional>
#include <ranges>
#include <string_view>

#include "os/signal/signal_mask_linux.h"
#include "os/spawn/env.h"
#include "os/spawn/environment_linux.h"
#include "os/spawn/exec_path.h"

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

}  // namespace holdfast::os
