// SPDX-License-Identifier: Apache-2.0
//
// The manifest of `holdfast ensure`: which files and directories must be there, of which type, with
// which mode and owner.
//
//   [[path]]
//   path = "~/data/${NAME}"     # `~` and `${VAR}` as in expand.h; else relative to the manifest
//   type = "dir"                # or "file"
//   mode = "0750"
//   owner = "1000:1000"         # optional: or a user's name; without it whoever runs ensure;
//                               # `${VAR}` here, too, and in readable_by
//   parents = true              # optional: missing directories above it are made, 0755; other
//                               # entries may lie in them
//   initial = "{}\n"            # optional, files only: the content of a new one
//   pin = true                  # optional: mode and owner of an existing one are set
//   readable_by = "999:999"     # optional: prove that this user could read it
//
// Guarantee: the paths of the answer are absolute and in one spelling each (expand.h), no two
// are the same, and none that is a file lies above another. The order of the text is kept.
//
// Errors: kConfig with `NAME:LINE:COLUMN`; beside those of toml.h and expand.h `bad-mode`,
// `bad-owner`, `bad-type`, `bad-path`, `duplicate-path`, `file-above`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "format/file/owner_text.h"
#include "format/text/expand.h"
#include "format/text/toml.h"

namespace holdfast {

enum class PathType : std::uint8_t { kFile, kDirectory };
std::string_view to_text(PathType type);  // "file", "dir"

struct ManifestEntry {
  std::string path{};
  PathType type = PathType::kFile;
  std::uint32_t mode = 0;
  bool any_mode = false;  // `mode` is for a new one only; an existing one may have another
  std::optional<OwnerText> owner{};
  bool parents = false;
  std::string initial{};
  bool pin = false;
  std::optional<Ids> readable_by{};
  int line = 0;  // where it was declared; 0: not in a text
  int column = 0;
};

// `name` is for messages; `base` is the absolute path of the manifest's directory.
Result<std::vector<ManifestEntry>> parse_manifest(std::string_view text, std::string_view name,
                                                  std::string_view base,
                                                  const VariableLookup& lookup);

// One entry, the keys of a `[[path]]`, for who has such tables inside another text.
Result<ManifestEntry> read_manifest_entry(const TomlTable& source, std::string_view name,
                                          std::string_view base, const VariableLookup& lookup);

// The absolute path that `typed` means, or kConfig `bad-path`: empty, the root, or a NUL byte.
Result<std::string> entry_path(std::string_view typed, PathType type, std::string_view base);

// What must hold between the entries: see the guarantee.
Result<> check_entries(const std::vector<ManifestEntry>& entries, std::string_view name);

}  // namespace holdfast
