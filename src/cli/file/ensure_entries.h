// SPDX-License-Identifier: Apache-2.0
//
// What `holdfast ensure` is asked for: the entries of the manifest and of --file and --dir; with
// --from-compose, only those that the bind mounts of compose files need.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/frame/args.h"
#include "cli/frame/command.h"
#include "file/replace/target.h"
#include "format/file/manifest.h"

namespace holdfast::cli {

inline constexpr std::array kEnsureEntryOptions{
    OptionSpec{.name = "file",
               .kind = OptionKind::kPath,
               .value = "PATH",
               .help = "this file must be there; a new one is empty",
               .repeat = Repeat::kMany},
    OptionSpec{.name = "dir",
               .kind = OptionKind::kPath,
               .value = "PATH",
               .help = "this directory must be there",
               .repeat = Repeat::kMany},
    OptionSpec{.name = "mode",
               .kind = OptionKind::kText,
               .value = "M",
               .help = "the mode of --file and --dir, octal; without it new ones get 0644 and "
                       "0755, and others keep theirs"},
    OptionSpec{.name = "owner",
               .kind = OptionKind::kText,
               .value = "O",
               .help = "the owner of --file and --dir: `uid:gid` or a user's name"},
    OptionSpec{.name = "parents",
               .help = "for --file and --dir: make missing directories above, 0755"},
    OptionSpec{.name = "pin",
               .help = "for --file and --dir: set mode and owner also where it exists"},
    OptionSpec{.name = "from-compose",
               .kind = OptionKind::kPath,
               .value = "FILE",
               .help = "ensure just the bind sources of this compose file (`-`: standard input), "
                       "each of which MANIFEST must declare",
               .repeat = Repeat::kMany},
};

// From the argument MANIFEST and kEnsureEntryOptions; owners are ids. Errors: kUsage, kConfig
// (`undeclared-bind`), and what reading the files answers.
Result<std::vector<ManifestEntry>> entries_to_ensure(const Args& args);

// Of the manifest at `path`; owners as they are written.
Result<std::vector<ManifestEntry>> entries_of_manifest(
    const std::string& path, file::TrustDir trust = file::TrustDir::kOnlyOwn);

}  // namespace holdfast::cli
