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
#include "file/replace/target.h"
#include "format/file/layer_plan.h"
#include "format/file/manifest.h"
#include "format/session/profile.h"

namespace holdfast::cli {

// Which profile a person means.
//
// `--profile FILE [NAME]`: FILE has a slash in it or ends in `.toml`; NAME may be left out where
// FILE has one session only. `--profile NAME`: [session.NAME] of ./holdfast.toml, or else of
// $XDG_CONFIG_HOME/holdfast/config.toml ($HOME/.config where that variable is not set or empty).
//
// A file that is there and cannot be read or understood ends the search: what it would have said is
// not known, so the next one is no answer.
//
// Named or found, a file is believed only if nobody else could have written it
// (file/replace/target.h).
//
// Errors: kNotFound `no-such-profile`, which says where was looked, and what reading the file
// answers; kRefused `untrusted-dir`, `untrusted-file`; kUsage `which-session`; kConfig of
// format/session/profile.h.
struct OpenProfile {
  ProfileFile file;
  std::string path;                                 // absolute
  std::string directory;                            // the one it lies in, with no link left in it
  file::TrustDir trust = file::TrustDir::kOnlyOwn;  // of the files that it names too
};

// `path` as typed; it is what messages call it.
Result<OpenProfile> open_profile(const std::string& path, file::TrustDir trust);

struct FoundProfile {
  OpenProfile at;
  std::string session;
};

Result<FoundProfile> find_profile(const std::string& value, const std::optional<std::string>& name,
                                  file::TrustDir trust);

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
