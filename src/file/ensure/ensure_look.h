// SPDX-License-Identifier: Apache-2.0
//
// What ensure sees: where the parent of a path is, and how a thing compares with its declaration.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "file/ensure/ensure.h"
#include "format/file/manifest.h"
#include "os/dir/dir.h"

namespace holdfast::file {

// A directory that should be there, no link on the way.
struct ParentLook {
  std::optional<os::Dir> dir{};        // it is, and this is it
  std::vector<std::string> missing{};  // it is not; what is missing, the highest first
  std::optional<os::Dir> above{};      // and the directory in which that would be made
  std::optional<Error> refusal{};      // a link, a thing of another type, or no right to look
};
ParentLook look_for_parent(const std::string& path);

std::optional<Ids> owner_of(const ManifestEntry& entry);
std::string_view name_part(std::string_view path);

// The order of work: a directory comes before what lies in it, and what lies in one directory
// stands together, so that it is opened once.
std::vector<std::size_t> work_order(const std::vector<ManifestEntry>& entries);

// The directories that `parents = true` of some entry has made where they are missing. What lies in
// one may be declared before that entry.
std::set<std::string_view> implied_parents(const std::vector<ManifestEntry>& entries);

// A thing that is there, compared with its declaration.
Finding compare(const ManifestEntry& entry, const os::FileInfo& info);

Finding refused(Error error);

// The entries, each where it lies: `followed` is a plan's. Without any, the entries themselves.
std::vector<ManifestEntry> where_they_lie(const std::vector<ManifestEntry>& entries,
                                          const std::vector<Followed>& followed);

}  // namespace holdfast::file
