// SPDX-License-Identifier: Apache-2.0
//
// Where this process stands in the control groups of the kernel, in every set-up: pure v2; v1
// alone; both side by side; a cgroup namespace; a container that sees a part of the hierarchy as
// the whole.
//
// Guarantee: a place is an open directory that lies on a control group file system and is, by
// /proc/self/cgroup and /proc/self/mountinfo, this process's own group. Groups are made below it
// and nowhere else: beside it they would escape what others put around this process, its limits
// and its service manager's stop.
//
// Three answers are two here, because a place is only wanted where it can be used: it, or an Error
// that says why not (kOsRefused, `no-cgroup`: not mounted, not visible from here, removed).
// Windows has none: `unsupported`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "os/dir/dir.h"

namespace holdfast::proc {

// One mounted hierarchy and where in it this process is, if the mount shows that part.
struct CgroupMount {
  bool v2 = false;
  std::vector<std::string> controllers{};  // of v1
  std::string mount{};                     // the directory it is mounted on
  std::optional<std::string> own{};        // relative to it, without a leading '/'; empty: the top

  bool operator==(const CgroupMount&) const = default;
};

// Pure: from the texts of /proc/self/mountinfo and /proc/self/cgroup. Lines that are not understood
// are left out. A later mount, which may cover an earlier one, comes first.
std::vector<CgroupMount> parse_cgroup_mounts(std::string_view mountinfo, std::string_view cgroup);

struct CgroupPlace {
  os::Dir dir;             // of this process's own group
  std::uint64_t root = 0;  // the inode of the directory that is mounted
};

class OwnCgroups {
 public:
  static Result<OwnCgroups> read();

  [[nodiscard]] Result<CgroupPlace> v2() const;
  // What is mounted of version 2, from its top on.
  [[nodiscard]] Result<CgroupPlace> v2_top() const;
  // Of the v1 hierarchy that has this controller.
  [[nodiscard]] Result<CgroupPlace> v1(std::string_view controller) const;

 private:
  explicit OwnCgroups(std::vector<CgroupMount> mounts) : mounts_(std::move(mounts)) {}

  std::vector<CgroupMount> mounts_;
};

}  // namespace holdfast::proc
