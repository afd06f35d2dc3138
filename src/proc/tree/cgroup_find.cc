// SPDX-License-Identifier: Apache-2.0
//
// The walk goes down from the root of the file system, one held directory to the next. It matters
// *where* a name is missing: above the hierarchy it means that nothing is mounted here, which
// proves nothing; below the directory that was mounted when the group was made it means that the
// group is gone.
#include "proc/tree/cgroup_find.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "os/stream/control_file.h"
#include "proc/tree/cgroup_members.h"

namespace holdfast::proc {
namespace {

using os::operator""_name;
using State = CgroupLook::State;

CgroupLook cannot_tell(std::string_view evidence, std::string detail) {
  return {
      .state = State::kCannotTell, .evidence = std::string(evidence), .detail = std::move(detail)};
}

CgroupLook unreadable(const Error& error) { return cannot_tell("unreadable", to_sentence(error)); }

CgroupLook empty(std::string_view evidence) {
  return {.state = State::kEmpty, .evidence = std::string(evidence)};
}

CgroupLook look_inside(const os::Dir& dir) {
  const auto events = os::read_control(dir, "cgroup.events"_name);
  if (!events) return unreadable(events.error());
  if (!*events) {
    // Without the file it is gone, or is no group that has members to tell of.
    const auto procs = os::read_control(dir, "cgroup.procs"_name);
    if (!procs) return unreadable(procs.error());
    return *procs ? cannot_tell("unreadable", "it has no cgroup.events") : empty("gone");
  }
  if ((*events)->find("populated 0") != std::string::npos) return empty("populated-0");
  if ((*events)->find("populated 1") == std::string::npos) {
    return cannot_tell("unreadable", "its cgroup.events does not say who is in it");
  }
  CgroupLook look{.state = State::kLives, .evidence = "populated-1"};
  if (auto members = list_members(dir)) look.members = std::move(*members);
  return look;
}

// The steps of the walk.
class Walk {
 public:
  explicit Walk(const SessionCgroup& group) : group_(group) {}

  CgroupLook run() {
    auto at = os::Dir::open("/");
    if (!at) return unreadable(at.error());
    std::string_view rest = group_.path;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('/'), rest.size());
      const std::string_view component = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (component.empty()) continue;
      auto answer = descend(*at, component);
      if (answer) return std::move(*answer);
    }
    if (!inside_) return cannot_tell("no-cgroup-here", "the path is not in a control group");
    const auto info = at->info();
    if (!info) return unreadable(info.error());
    if (info->id.inode != group_.id) return empty("other-inode");
    return look_inside(*at);
  }

 private:
  // Moves `at` one step down, or says what ends the walk.
  std::optional<CgroupLook> descend(os::Dir& at, std::string_view component) {
    const auto name = os::SafeName::make(component);
    if (!name) return cannot_tell("not-its-group", to_sentence(name.error()));
    auto next = at.open_dir(*name);
    if (!next && next.error().code == ErrorCode::kNotFound) {
      return inside_ ? empty("gone")
                     : cannot_tell("no-cgroup-here", at.path_of(*name) + " is not there");
    }
    if (!next) return unreadable(next.error());
    at = std::move(*next);
    return enter(at);
  }

  std::optional<CgroupLook> enter(const os::Dir& dir) {
    const auto version = os::cgroup_version(dir);
    if (!version) return unreadable(version.error());
    if (*version != os::CgroupVersion::kV2) {
      if (!inside_) return std::nullopt;
      return cannot_tell("no-cgroup-here", "something else is mounted at " + dir.path());
    }
    if (inside_) return std::nullopt;
    inside_ = true;
    const auto info = dir.info();
    if (!info) return unreadable(info.error());
    if (group_.root != 0 && info->id.inode == group_.root) return std::nullopt;
    return cannot_tell("other-root",
                       "another part of the hierarchy is mounted at " + dir.path() + " here");
  }

  const SessionCgroup& group_;
  bool inside_ = false;  // the hierarchy that the record speaks of
};

}  // namespace

CgroupLook find_cgroup(const SessionCgroup& group, const Id128& run) {
  if (!group.path.starts_with('/') || !group.path.ends_with('/' + cgroup_name(run)) ||
      group.id == 0) {
    return cannot_tell("not-its-group", "the record names a group that is not of its run");
  }
  return Walk(group).run();
}

}  // namespace holdfast::proc
