// SPDX-License-Identifier: Apache-2.0
//
// Two texts of the kernel have to be read together. /proc/self/cgroup says where this process is,
// from the root of its cgroup namespace; /proc/self/mountinfo says which part of the hierarchy each
// mount shows, from the same root. Only where the second is a prefix of the first does the mount
// show our group, and what is left of the path leads there. Simply joining the two, as is often
// done, is right on a plain machine and wrong in a container that has the hierarchy mounted from
// its own group on: there it names a directory that does not exist, or somebody else's.
#include "proc/tree/cgroup_place.h"

#include <algorithm>
#include <array>

#include "os/stream/control_file.h"

namespace holdfast::proc {
namespace {

using os::operator""_name;

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// mountinfo writes space, tab, newline and backslash as three octal digits.
std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = [&](std::size_t at) { return at < text.size() ? text[at] - '0' : -1; };
    const int high = digit(i + 1);
    const int middle = digit(i + 2);
    const int low = digit(i + 3);
    const bool octal = text[i] == '\\' && high >= 0 && high <= 3 && middle >= 0 && middle <= 7 &&
                       low >= 0 && low <= 7;
    plain += octal ? static_cast<char>(high * 64 + middle * 8 + low) : text[i];
    if (octal) i += 3;
  }
  return plain;
}

// `path` from `root` on, without a leading '/'; nullopt: it is not below it.
std::optional<std::string> below(std::string_view path, std::string_view root) {
  if (path.starts_with("/..")) return std::nullopt;  // outside of our cgroup namespace
  if (root == "/") return std::string(path.substr(1));
  if (!path.starts_with(root)) return std::nullopt;
  path.remove_prefix(root.size());
  if (path.empty()) return std::string();
  if (path.front() != '/') return std::nullopt;
  return std::string(path.substr(1));
}

// One line of /proc/self/cgroup: `4:memory:/a/b`, of v2 `0::/a/b`.
struct OwnLine {
  std::vector<std::string_view> controllers;
  std::string_view path;
};

std::vector<OwnLine> parse_own(std::string_view cgroup) {
  std::vector<OwnLine> lines;
  for (const std::string_view line : split(cgroup, '\n')) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::string_view path = line.substr(second + 1);
    if (!path.starts_with('/')) continue;
    lines.push_back({.controllers = controllers.empty() ? std::vector<std::string_view>()
                                                        : split(controllers, ','),
                     .path = path});
  }
  return lines;
}

// `32 31 0:29 ROOT MOUNT rw,… [optional fields] - TYPE SOURCE SUPER,OPTIONS`
std::optional<CgroupMount> parse_mount(std::string_view line, const std::vector<OwnLine>& own) {
  const std::size_t dash = line.find(" - ");
  if (dash == std::string_view::npos) return std::nullopt;
  const auto left = split(line.substr(0, dash), ' ');
  const auto right = split(line.substr(dash + 3), ' ');
  if (left.size() < 6 || right.size() < 3) return std::nullopt;
  CgroupMount mount{.v2 = right[0] == "cgroup2", .mount = unescaped(left[4])};
  if (!mount.v2 && right[0] != "cgroup") return std::nullopt;
  const std::string root = unescaped(left[3]);
  const auto options = split(right.back(), ',');
  for (const OwnLine& line_of : own) {
    const bool same =
        mount.v2 ? line_of.controllers.empty()
                 : !line_of.controllers.empty() &&
                       std::ranges::find(options, line_of.controllers.front()) != options.end();
    if (!same) continue;
    for (const std::string_view word : line_of.controllers) mount.controllers.emplace_back(word);
    mount.own = below(line_of.path, root);
    break;
  }
  return mount;
}

Error no_cgroup(std::string_view what, std::string_view detail) {
  return {.code = ErrorCode::kOsRefused,
          .op = "use the control groups of",
          .subject = std::string(what),
          .cause = "no-cgroup",
          .detail = std::string(detail)};
}

Result<CgroupPlace> open_place(const CgroupMount& mount) {
  os::Dir top = HF_TRY(os::Dir::open(mount.mount));
  const auto wanted = mount.v2 ? os::CgroupVersion::kV2 : os::CgroupVersion::kV1;
  if (HF_TRY(os::cgroup_version(top)) != wanted) {
    return fail(no_cgroup(mount.mount, "something else is mounted over it"));
  }
  const os::FileId root = HF_TRY(top.info()).id;
  if (mount.own->empty()) return CgroupPlace{.dir = std::move(top), .root = root.inode};
  os::Dir own = HF_TRY(top.open_dir_beneath(*mount.own));
  if (HF_TRY(own.info()).id.device != root.device) {
    return fail(no_cgroup(own.path(), "something else is mounted over it"));
  }
  return CgroupPlace{.dir = std::move(own), .root = root.inode};
}

// The first of several mounts that leads there; the first failure where none does.
template <typename Wanted>
Result<CgroupPlace> first_place(const std::vector<CgroupMount>& mounts, std::string_view what,
                                const Wanted& wanted) {
  std::optional<Error> why;
  for (const CgroupMount& mount : mounts) {
    if (!wanted(mount)) continue;
    if (!mount.own) {
      if (!why)
        why = no_cgroup(what, "this process's own group is not visible below " + mount.mount);
      continue;
    }
    auto place = open_place(mount);
    if (place) return place;
    if (!why) why = std::move(place).error();
  }
  return fail(why ? std::move(*why) : no_cgroup(what, "no such hierarchy is mounted here"));
}

}  // namespace

std::vector<CgroupMount> parse_cgroup_mounts(std::string_view mountinfo, std::string_view cgroup) {
  const std::vector<OwnLine> own = parse_own(cgroup);
  std::vector<CgroupMount> mounts;
  for (const std::string_view line : split(mountinfo, '\n')) {
    if (auto mount = parse_mount(line, own)) mounts.push_back(std::move(*mount));
  }
  std::ranges::reverse(mounts);
  return mounts;
}

Result<OwnCgroups> OwnCgroups::read() {
  const os::Dir self = HF_TRY(os::Dir::open_following_links("/proc/self"));
  const auto mountinfo = HF_TRY(os::read_control(self, "mountinfo"_name));
  const auto cgroup = HF_TRY(os::read_control(self, "cgroup"_name));
  if (!mountinfo || !cgroup) return fail(no_cgroup("this process", "/proc does not show them"));
  return OwnCgroups(parse_cgroup_mounts(*mountinfo, *cgroup));
}

Result<CgroupPlace> OwnCgroups::v2() const {
  return first_place(mounts_, "version 2", [](const CgroupMount& mount) { return mount.v2; });
}

Result<CgroupPlace> OwnCgroups::v2_top() const {
  std::vector<CgroupMount> tops = mounts_;
  for (CgroupMount& mount : tops) mount.own = std::string();
  return first_place(tops, "version 2", [](const CgroupMount& mount) { return mount.v2; });
}

Result<CgroupPlace> OwnCgroups::v1(std::string_view controller) const {
  return first_place(
      mounts_, "version 1, controller " + std::string(controller), [&](const CgroupMount& mount) {
        return !mount.v2 &&
               std::ranges::find(mount.controllers, controller) != mount.controllers.end();
      });
}

}  // namespace holdfast::proc
