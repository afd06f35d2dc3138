// SPDX-License-Identifier: Apache-2.0
//
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
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "file/replace/target.h"
#include "format/session/profile.h"

namespace holdfast::cli {

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

// Its session, with variables of the environment.
Result<Profile> read_profile(const OpenProfile& at, const std::string& session);

}  // namespace holdfast::cli
