// SPDX-License-Identifier: Apache-2.0
#include "proc/tree/cgroup.h"

#include <array>
#include <string_view>
#include <utility>

#include "os/signal/signals.h"
#include "proc/tree/cgroup_find.h"

namespace holdfast::proc {
namespace {

using os::operator""_name;

constexpr std::size_t kDigitsOfRun = 16;
constexpr int kMostTakenAway = 8;

Result<CgroupTree::Removal> remove_below(const os::Dir& parent, const os::SafeName& name,
                                         int depth) {
  const auto dir = parent.open_dir(name);
  if (!dir && dir.error().code == ErrorCode::kNotFound) return CgroupTree::Removal::kRemoved;
  if (!dir) return fail(dir.error());
  if (depth < kMaxGroupDepth) {
    HF_TRY(each_group_below(*dir, [&](const os::SafeName& inner) -> Result<> {
      HF_TRY(remove_below(*dir, inner, depth + 1));  // one that is busy keeps this one busy, too
      return {};
    }));
  }
  const auto removed = parent.remove_dir(name);
  if (removed) return CgroupTree::Removal::kRemoved;
  if (removed.error().code == ErrorCode::kBusy) return CgroupTree::Removal::kBusy;
  return fail(removed.error());
}

}  // namespace

std::string cgroup_name(const Id128& run) {
  return "holdfast-" + to_hex(run).substr(0, kDigitsOfRun);
}

bool is_cgroup_name(std::string_view name) {
  constexpr std::string_view kPrefix = "holdfast-";
  if (!name.starts_with(kPrefix)) return false;
  name.remove_prefix(kPrefix.size());
  return name.size() == kDigitsOfRun &&
         name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Result<CgroupTree::Removal> remove_cgroup(const os::Dir& parent, const os::SafeName& name) {
  // Nearly always there is nothing below.
  if (const auto removed = parent.remove_dir(name); removed) return CgroupTree::Removal::kRemoved;
  return remove_below(parent, name, 0);
}

CgroupTree::CgroupTree(os::Dir parent, os::Dir dir, SessionCgroup id, os::ControlFile events,
                       os::ChangeWatch watch, std::optional<os::ControlFile> kill)
    : parent_(std::move(parent)),
      dir_(std::move(dir)),
      id_(std::move(id)),
      events_(std::move(events)),
      watch_(std::move(watch)),
      kill_(std::move(kill)) {}

Result<CgroupTree> CgroupTree::make(const Id128& run) {
  const OwnCgroups own = HF_TRY(OwnCgroups::read());
  const CgroupPlace place = HF_TRY(own.v2());
  return make(place, run);
}

Result<CgroupTree> CgroupTree::make(const CgroupPlace& place, const Id128& run) {
  // To enter a group below, the right to move processes in the common one above is needed too.
  const auto procs =
      HF_TRY(os::ControlFile::open(place.dir, "cgroup.procs"_name, os::ControlAccess::kWrite));
  if (!procs) {
    return fail({.code = ErrorCode::kOsRefused,
                 .op = "use the control group",
                 .subject = place.dir.path(),
                 .cause = "no-cgroup",
                 .detail = "it has no cgroup.procs"});
  }
  const os::SafeName name = HF_TRY(os::SafeName::make(cgroup_name(run)));
  for (int tries = 1;; ++tries) {
    auto made = make_once(place, name);
    // A clean-up that came before the lock has taken it for a dead one's.
    const bool taken = !made && made.error().code == ErrorCode::kNotFound;
    if (!taken || tries == kMostTakenAway) return made;
  }
}

Result<CgroupTree> CgroupTree::make_once(const CgroupPlace& place, const os::SafeName& name) {
  if (HF_TRY(place.dir.make_dir(name, 0755)) == os::Made::kAlreadyThere) {
    return fail({.code = ErrorCode::kOsRefused,
                 .op = "make the control group",
                 .subject = place.dir.path_of(name),
                 .cause = "eexist",
                 .detail = "there is one of this name already"});
  }
  auto made = open_in(place, name);
  if (made) {
    if (auto lock = os::DirLock::open(made->dir_)) {
      const auto locked = lock->lock(Duration::zero());
      if (locked && *locked) made->lock_ = std::move(*lock);
    }
    const auto named = place.dir.id_of(name);
    if (named && !*named) {
      made = fail({.code = ErrorCode::kNotFound,
                   .op = "make the control group",
                   .subject = place.dir.path_of(name),
                   .cause = "removed",
                   .detail = "somebody removed it at once"});
    }
  }
  if (!made) {
    const auto removed = place.dir.remove_dir(name);
    static_cast<void>(removed);  // empty and without a member, it harms nobody
  }
  return made;
}

Result<CgroupTree> CgroupTree::open_in(const CgroupPlace& place, const os::SafeName& name) {
  os::Dir parent = HF_TRY(os::Dir::open(place.dir.path()));
  os::Dir dir = HF_TRY(place.dir.open_dir(name));
  SessionCgroup id;
  id.path = dir.path();
  id.id = HF_TRY(dir.info()).id.inode;
  id.root = place.root;
  auto events = HF_TRY(os::ControlFile::open(dir, "cgroup.events"_name, os::ControlAccess::kRead));
  if (!events) {
    return fail({.code = ErrorCode::kOsRefused,
                 .op = "watch the control group",
                 .subject = dir.path(),
                 .cause = "no-cgroup",
                 .detail = "it has no cgroup.events"});
  }
  os::ChangeWatch watch = HF_TRY(os::ChangeWatch::on(events->handle()));
  // An Error is a kernel that has it and does not let us: the other way is open to us.
  auto kill = os::ControlFile::open(dir, "cgroup.kill"_name, os::ControlAccess::kWrite);
  return CgroupTree(std::move(parent), std::move(dir), std::move(id), std::move(*events),
                    std::move(watch), kill ? std::move(*kill) : std::nullopt);
}

Result<std::optional<CgroupTree>> CgroupTree::open(const SessionCgroup& group, const Id128& run) {
  const auto is_there = [&] {
    const CgroupLook look = find_cgroup(group, run);
    return look.state == CgroupLook::State::kLives || look.evidence == "populated-0";
  };
  if (!is_there()) return std::nullopt;
  const std::size_t slash = group.path.rfind('/');
  CgroupPlace place{.dir = HF_TRY(os::Dir::open_without_links(group.path.substr(0, slash)))};
  place.root = group.root;
  const os::SafeName name = HF_TRY(os::SafeName::make(group.path.substr(slash + 1)));
  auto tree = open_in(place, name);
  // Its files go before its name does, if somebody removes it meanwhile.
  if (!tree && !is_there()) return std::nullopt;
  if (!tree) return fail(std::move(tree).error());
  if (tree->id() != group) return std::nullopt;  // another one since the look
  return std::optional(std::move(*tree));
}

Result<bool> CgroupTree::populated() const {
  constexpr std::string_view kKey = "populated ";
  std::array<char, 256> buffer;
  const auto size = HF_TRY(events_.read_start(buffer));
  if (!size) return false;  // a group goes only when nobody is in it
  const std::string_view text(buffer.data(), *size);
  const std::size_t at = text.find(kKey);
  const char digit = at == std::string_view::npos || at + kKey.size() >= text.size()
                         ? '?'
                         : text[at + kKey.size()];
  if (digit == '0' || digit == '1') return digit == '1';
  return fail({.code = ErrorCode::kCannotTell,
               .op = "tell who is in",
               .subject = id_.path,
               .cause = "odd-cgroup-events",
               .detail = "its cgroup.events does not say it"});
}

Result<CgroupTree::Blow> CgroupTree::kill() const {
  if (kill_) {
    const auto struck = kill_->write("1");
    if (struck) return Blow::kAll;  // also where the group is gone
  }
  HF_TRY(proc::signal_members(dir_, {os::kSignalKill}, [](os::Pid) { return true; }));
  return Blow::kThoseSeen;
}

Result<CgroupMembers> CgroupTree::members() const { return list_members(dir_); }

Result<std::vector<os::Pid>> CgroupTree::signal_members(
    const std::vector<int>& signals, const std::function<bool(os::Pid)>& wanted) const {
  return proc::signal_members(dir_, signals, wanted);
}

Result<CgroupTree::Removal> CgroupTree::remove() const {
  const os::SafeName name = HF_TRY(os::SafeName::make(id_.path.substr(id_.path.rfind('/') + 1)));
  const auto there = HF_TRY(parent_.id_of(name));
  if (!there || there->inode != id_.id) return Removal::kRemoved;  // by somebody else
  return remove_cgroup(parent_, name);
}

}  // namespace holdfast::proc
