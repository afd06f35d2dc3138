// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: we read who our parent is, it ends, and its number goes to a stranger
// before it is pinned. So we ask again behind the pin: a pinned process that is still named as our
// parent is our parent.
#include "proc/identity/parent.h"

#include <algorithm>

#include "os/process/pidfd.h"
#include "proc/tree/process_table.h"

namespace holdfast::proc {
namespace {

constexpr int kMaxTries = 8;
constexpr std::size_t kParentMaxDepth = 4096;

std::unexpected<Error> no_parent(const char* cause, const char* why) {
  return fail({.code = ErrorCode::kCannotTell,
               .op = "find",
               .subject = "the parent process",
               .cause = cause,
               .detail = why});
}

Result<os::Pid> parent_number() {
  const auto self = HF_TRY(read_process(os::own_pid()));
  if (self) return self->parent;
  return no_parent("no-proc", "/proc does not show this process");
}

}  // namespace

Result<Pinned> parent_process() {
  HF_TRY(check_proc());
  for (int tries = 0; tries < kMaxTries; ++tries) {
    const os::Pid parent = HF_TRY(parent_number());
    if (parent == os::Pid{0}) {
      return no_parent("other-pid-namespace", "it is outside this pid namespace");
    }
    auto pinned = HF_TRY(pin(parent));
    if (pinned && HF_TRY(parent_number()) == parent) return std::move(*pinned);
  }
  return no_parent("parent-changed", "the processes above come and go");
}

std::vector<os::Pid> ancestors_of(os::Pid pid) {
  std::vector<os::Pid> found;
  while (found.size() < kParentMaxDepth) {
    const auto facts = read_process(found.empty() ? pid : found.back());
    if (!facts || !*facts) break;
    const os::Pid parent = (*facts)->parent;
    if (parent == os::Pid{0} || std::ranges::find(found, parent) != found.end()) break;
    found.push_back(parent);
  }
  return found;
}

Result<std::vector<os::Pid>> ancestors() {
  HF_TRY(check_proc());
  HF_TRY(parent_number());
  return ancestors_of(os::own_pid());
}

}  // namespace holdfast::proc
