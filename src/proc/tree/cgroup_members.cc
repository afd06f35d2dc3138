// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving is that of tree.cc: a list says that P is in the group, P ends, its
// number goes to a stranger, a signal by number hits the stranger; and a pidfd that is opened after
// the list may already pin the stranger. So the list is read twice: pin whoever has the number,
// read the list again, see that the pinned process has not ended. As it had not, the number meant
// it while the second list was read; so it was it that was in the group. The signal goes through
// the pin.
//
// A few at a time: each pin is a descriptor.
#include "proc/tree/cgroup_members.h"

#include <algorithm>
#include <charconv>
#include <span>

#include "base/cause.h"
#include "os/process/pidfd.h"
#include "os/stream/control_file.h"

namespace holdfast::proc {
namespace {

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
