// SPDX-License-Identifier: Apache-2.0
//
// The walk goes down from the root of the file system, one held directory to the next. It matters
// *where* a name is missing: above the hierarchy it means that nothing is mounted here, which
// proves nothing; below the directory that was mounted when the group was made it means that the
// group is gone.
#include "proc/tree/cgroup_find.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string_view>

#include "base/cause.h"
#include "os/process/pidfd.h"
#include "os/stream/control_file.h"

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

using os::operator""_name;

constexpr std::size_t kPinsAtATime = 64;

void take_numbers(std::string_view text, CgroupMembers& members) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    int pid = -1;
    std::from_chars(text.data(), text.data() + end, pid);
    if (pid > 0) members.pids.push_back(os::Pid{pid});
    if (pid == 0) ++members.unseen;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

Result<> collect(const os::Dir& group, int depth, CgroupMembers& members) {
  auto text = os::read_control(group, "cgroup.procs"_name);
  // A threaded group has no processes of its own: they are listed by the one above.
  if (!text && text.error().cause == cause::kEopnotsupp) return {};
  const auto list = HF_TRY(std::move(text));
  if (!list || depth == kMaxGroupDepth) return {};
  take_numbers(*list, members);
  return each_group_below(group, [&](const os::SafeName& name) -> Result<> {
    const auto below = group.open_dir(name);
    if (!below && below.error().code == ErrorCode::kNotFound) return {};  // removed just now
    if (!below) return fail(below.error());
    return collect(*below, depth + 1, members);
  });
}

struct Pin {
  os::Pid pid{};
  os::Handle handle;
};

bool reached_by_all(const Pin& pin, const std::vector<int>& signals) {
  return std::ranges::all_of(signals, [&](int signal) {
    const auto sent = os::signal_pidfd(pin.handle, signal);
    return sent && *sent == os::Sent::kSent;
  });
}

Result<> signal_some(const os::Dir& group, std::span<const os::Pid> pids,
                     const std::vector<int>& signals, std::vector<os::Pid>& reached) {
  std::vector<Pin> pins;
  for (const os::Pid pid : pids) {
    auto pin = HF_TRY(os::open_pidfd(pid));
    if (pin) pins.push_back({.pid = pid, .handle = std::move(*pin)});
  }
  const CgroupMembers again = HF_TRY(list_members(group));
  for (const Pin& pin : pins) {
    if (!std::ranges::binary_search(again.pids, pin.pid)) continue;
    if (HF_TRY(os::has_ended(pin.handle))) continue;
    if (reached_by_all(pin, signals)) reached.push_back(pin.pid);
  }
  return {};
}

}  // namespace

CgroupLook find_cgroup(const SessionCgroup& group, const Id128& run) {
  if (!group.path.starts_with('/') || !group.path.ends_with('/' + cgroup_name(run)) ||
      group.id == 0) {
    return cannot_tell("not-its-group", "the record names a group that is not of its run");
  }
  return Walk(group).run();
}

// The hostile interleaving is that of tree.cc: a list says that P is in the group, P ends, its
// number goes to a stranger, a signal by number hits the stranger; and a pidfd that is opened after
// the list may already pin the stranger. So the list is read twice: pin whoever has the number,
// read the list again, see that the pinned process has not ended. As it had not, the number meant
// it while the second list was read; so it was it that was in the group. The signal goes through
// the pin.
//
// A few at a time: each pin is a descriptor.

Result<> each_group_below(const os::Dir& group,
                          const std::function<Result<>(const os::SafeName&)>& visit) {
  // The names first: removing entries of a directory while it is read may skip others.
  std::vector<os::SafeName> names;
  Result<> bad;
  HF_TRY(group.each_entry([&](std::string_view text, os::FileType type) {
    if (type != os::FileType::kDirectory) return os::Visit::kContinue;
    auto name = os::SafeName::make(text);
    if (name) {
      names.push_back(std::move(*name));
    } else {
      bad = fail(std::move(name).error());
    }
    return os::Visit::kContinue;
  }));
  for (const os::SafeName& name : names) HF_TRY(visit(name));
  return bad;
}

Result<CgroupMembers> list_members(const os::Dir& group) {
  CgroupMembers members;
  HF_TRY(collect(group, 0, members));
  std::ranges::sort(members.pids);
  const auto repeated = std::ranges::unique(members.pids);
  members.pids.erase(repeated.begin(), repeated.end());
  return members;
}

Result<std::vector<os::Pid>> signal_members(const os::Dir& group, const std::vector<int>& signals,
                                            const std::function<bool(os::Pid)>& wanted) {
  CgroupMembers members = HF_TRY(list_members(group));
  std::erase_if(members.pids, [&](os::Pid pid) { return !wanted(pid); });
  std::vector<os::Pid> reached;
  for (std::span<const os::Pid> rest = members.pids; !rest.empty();) {
    const auto some = rest.first(std::min(rest.size(), kPinsAtATime));
    HF_TRY(signal_some(group, some, signals, reached));
    rest = rest.subspan(some.size());
  }
  return reached;
}

}  // namespace holdfast::proc
