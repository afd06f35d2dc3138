// SPDX-License-Identifier: Apache-2.0
//
// What lies above a directory that was reached through a bind mount. Such a mount shows a part of a
// file system and hides what is above that part: going up from it leads to where it was mounted,
// and not to the directory that holds it. Whoever asks "what is this inside of?" must ask the other
// mounts too.
//
// MountTable::place_of: where its own mount is, and the paths to the same directory through those
// mounts of its file system that show more of what is above it. None is the usual answer: its own
// mount shows the whole file system, or none shows more. Each one was opened, and led to the same
// directory, a moment ago; or it may not be opened by this user.
//
// Limits: the table is of the moment of read(). Only mounts that this process can see and reach
// count: what a container was given of a directory outside is not known for that inside of it. A
// path may be swapped: whoever acts uses a handle.
// Errors: kCannotTell `no-mount-table` where /proc does not tell, or knows the mount of this
// directory only since then; else os_error.h.
// Windows: a mounted folder is a reparse point, which is refused on the way; nothing is found.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "os/dir/dir.h"

namespace holdfast::os {

struct MountPlace {
  std::string point{};                // the path at which its mount begins
  std::vector<std::string> fuller{};  // of the directory, each with more above it
};

class MountTable {
 public:
  static Result<MountTable> read();

  [[nodiscard]] Result<MountPlace> place_of(const Dir& dir) const;

 private:
  struct Mount {
    std::string id{};
    std::string device{};
    std::string root{};   // which directory of the file system it shows
    std::string point{};  // where
  };

  static bool read_line(std::string_view line, Mount& mount);

  std::vector<Mount> mounts_;
};

}  // namespace holdfast::os
