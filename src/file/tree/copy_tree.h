// SPDX-License-Identifier: Apache-2.0
//
// Copying a directory of somebody else's making (the template of a session) into a new, empty one
// that nobody else sees yet.
//
// Guarantees:
//   - Nothing is copied before everything was looked at and found good (plan_tree).
//   - No link is followed to read, and nothing is read through a path: each step is taken from an
//     open directory. A mount is not crossed.
//   - A link is copied as a link, and only if it is relative and leads to somewhere inside the
//     tree, whatever lies on the way: `..` may stand at its beginning only, and not often enough to
//     leave. So no link of the copy leads out of the copy.
//   - The copy of a file is what the file held at one moment, or there is no copy: kBusy
//     `changed-meanwhile`.
//   - Nobody may do more with the copy than with what it was copied from: mode bits of the source,
//     without set-id bits; those of the group only where the copy has the same group (or others
//     have them too); of a file or directory with an access list only the owner's. What neither
//     group nor others could read is 0600 or 0700 at most, or narrower, as it was.
//   - After an Error remove_copy leaves nothing of it.
//
// Durability: with kFull every file and directory of the copy is synced once, after the last one
// was written: by fsync of each, as a sync of the whole file system would wait for everybody else's
// writes too. That costs about as many fsyncs as there are entries (the first of them commits for
// most of the rest). The target's own name is its maker's business.
//
// Limits: hard links become files of their own. Owner, times, attributes and access lists are not
// kept, holes are filled. A change that leaves size and both times as they were (a second write
// within one tick of the kernel's clock) is not seen. At most kMaxTreeDepth levels and
// kMaxTreeEntries entries.
//
// Errors: kCorrupt, naming the entry, with `unsafe-link`, `special-file`, `reserved-name`,
// `is-mount`, `too-deep`, `too-many`; kOsRefused where something may not be read.
// Platform: Linux only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "os/dir/dir.h"
#include "os/file/staged_file.h"

namespace holdfast::file {

inline constexpr std::size_t kMaxTreeDepth = 64;
inline constexpr std::size_t kMaxTreeEntries = 200'000;

// What was seen of one entry, and must be the same when it is copied.
struct TreeEntry {
  os::SafeName name;
  os::FileInfo seen{};
  bool access_list = false;
  std::string target{};            // of a link
  std::vector<TreeEntry> below{};  // of a directory
};

struct TreePlan {
  os::FileInfo seen{};  // of the tree's own directory
  std::vector<TreeEntry> entries{};
  std::size_t count = 0;    // of all entries
  std::uint64_t bytes = 0;  // of all files
};

// Is this a name that the top of the copy keeps for something else?
using IsReserved = std::function<bool(std::string_view name)>;

Result<TreePlan> plan_tree(const os::Dir& source, const IsReserved& reserved);

// `target` is a directory of this process's own. What already lies in it is left alone; a name that
// is taken there is kBusy `name-taken`.
Result<> copy_tree(const os::Dir& source, const TreePlan& plan, const os::Dir& target,
                   os::Durability durability);

// Removes from `target` what copy_tree may have made there. What cannot be removed stays.
void remove_copy(const TreePlan& plan, const os::Dir& target);

// Does a link with this text, in a directory `depth` levels below the top, stay inside the tree?
bool link_stays_inside(std::string_view target, std::size_t depth);

// The mode of the copy of something with this mode.
std::uint32_t copied_mode(std::uint32_t mode, bool same_group, bool access_list);

}  // namespace holdfast::file
