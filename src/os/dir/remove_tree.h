// SPDX-License-Identifier: Apache-2.0
//
// remove_tree: removes a directory with all that is in it, and nothing that is not.
//
// Guarantees:
//   - No link is followed: a link is removed, what it points to is not looked at. This holds for
//     `name` itself, and where somebody swaps a directory for a link meanwhile: every step is
//     taken from an open directory.
//   - No mount is entered, a bind mount of the same file system included: it stays, is counted as
//     a fault (`is-mount`), and so stay the directories above it.
//   - One entry that cannot be removed does not end the walk. Faults are counted; the first
//     kMaxTreeFaults of them are told by path.
//   - Directories of the caller's own without rights to read or to write (mode 0000) are given
//     them, through their descriptor, when that is what is in the way.
//   - Any depth, with at most kTreeDescriptors descriptors and a bounded stack: what lies deeper is
//     moved up to the top of the same tree first. Any number of entries, with flat memory.
//
// Death in the middle leaves the rest of the tree under its name; the next call goes on.
//
// Limits: where the kernel has neither openat2 nor mount numbers in statx, only a change of the
// device shows a mount. Somebody who adds entries all the time is given up on after some
// rounds (`enotempty`). On Windows there is one handle per level, a path has at most 32767
// characters, and the read-only bit of a file is taken off; what others keep open without sharing
// its removal is a fault (`ebusy`). Under Wine a link cannot be removed: it stays, a fault
// (`is-link`), and its target is not touched.
// Threads: two calls may work at once on two trees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "os/dir/dir.h"
#include "os/lock/blocked_wait.h"

namespace holdfast::os {

inline constexpr std::size_t kMaxTreeFaults = 16;
inline constexpr std::size_t kTreeDescriptors = 64;

struct TreeFault {
  std::string path{};   // below the parent: "name/sub/file"
  std::string cause{};  // an errno name, or `is-mount`
};

struct TreeRemoval {
  bool gone = false;  // nothing has the name any more (also where nothing had it)
  bool stopped = false;
  std::uint64_t removed = 0;  // entries, directories included
  std::uint64_t faults = 0;
  std::vector<TreeFault> first_faults{};
};

// `stop`, where it is given, is looked at before each directory and every few hundred entries.
TreeRemoval remove_tree(const Dir& parent, const SafeName& name, const Flag* stop = nullptr);

}  // namespace holdfast::os
