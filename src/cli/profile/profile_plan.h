// SPDX-License-Identifier: Apache-2.0
//
// ProfilePlan: one session of a profile, with all that can be checked before anything is done: the
// options of every step as the command of that step would take them, the manifest and the layer
// plan read. Making one changes nothing and runs nothing.
//
// Errors: kConfig, with the place in the profile, for what a command line would answer with kUsage;
// what reading a manifest or a plan answers, with the step in front (in_step).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/file/write_perform.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "cli/frame/context.h"
#include "cli/profile/profile_find.h"
#include "format/file/layer_plan.h"
#include "format/file/manifest.h"
#include "format/session/profile.h"

namespace holdfast::cli {

struct ProfilePlan {
  Profile profile{};
  std::string path{};       // of the file
  std::string directory{};  // where its commands run, but for the session's own
  file::TrustDir trust = file::TrustDir::kOnlyOwn;
  std::vector<ManifestEntry> ensure{};  // owners are ids
  std::vector<Args> writes{};           // of each profile.refresh, for perform_write
  std::optional<LayerPlan> layers{};
};

Result<ProfilePlan> plan_profile(const Context& context, const FoundProfile& found);

// What runs the producers and checks of a profile: in its directory, and never at the standard
// input, which is the session's.
WriteGround ground_of(const ProfilePlan& plan);

// The same error, of a step: "cannot do the profile step `refresh` /a/config.json: …".
Error in_step(std::string_view step, const std::string& subject, const Error& error);
// Which step an error of in_step is about; empty of any other.
std::string step_of(const Error& error);

// The Args of `run`: what was typed, and what the profile says where nothing was. Of variables each
// counts by itself.
Args run_args(const Profile& profile, const Args& typed);

}  // namespace holdfast::cli
