// SPDX-License-Identifier: Apache-2.0
//
// What a profile would do, in words and as JSON, without doing any of it: each step in its order,
// with absolute paths, and what `ensure --check` would say now. Commands are named, not run.
#pragma once

#include <string>
#include <vector>

#include "cli/frame/context.h"
#include "cli/profile/profile_plan.h"

namespace holdfast::cli {

struct ProfileStep {
  std::string step{};                // "ensure", "refresh", "layers", "gc", "lock", "run"
  std::string subject{};             // a path, a name, the command
  std::vector<std::string> says{};   // what it does, a line each
  std::vector<std::string> found{};  // what stands there now and would be made, or is in the way
};

struct ProfileExplained {
  std::vector<ProfileStep> steps{};
  std::vector<Error> trouble{};  // what would keep the session from being started now
};

ProfileExplained explain_profile(const ProfilePlan& plan);

std::string explained_text(const ProfilePlan& plan, const ProfileExplained& explained);
Json explained_json(const ProfilePlan& plan, const ProfileExplained& explained);

}  // namespace holdfast::cli
