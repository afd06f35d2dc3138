// SPDX-License-Identifier: Apache-2.0
#include "session/record/watch.h"

#include <algorithm>
#include <array>
#include <vector>

#include "os/watch/poll.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"

namespace holdfast::session {
namespace {

struct Pinned {
  os::Handle pidfd;
  std::string why_not;  // it may live, and cannot be waited for
};

// One that is dead is no reason to look again: it will not die once more.
Pinned pin(const ProcessIdentity& identity) {
  proc::LifeVerdict verdict = proc::judge(proc::from_record(identity));
  if (verdict.life == proc::Life::kDead) return {};
  if (verdict.life == proc::Life::kUnknown) return {.pidfd = {}, .why_not = verdict.evidence};
  if (!verdict.pidfd.valid()) return {.pidfd = {}, .why_not = "no-pidfd"};
  return {.pidfd = std::move(verdict.pidfd), .why_not = {}};
}

}  // namespace

Watch Watch::open(const SessionDir& dir) {
  Watch watch;
  auto files = os::DirWatch::open(dir.dir());
  if (files) {
    watch.files_.emplace(*std::move(files));
  } else {
    watch.no_files_ = files.error().cause;
  }
  watch.polls_ = watch.no_files_;
  return watch;
}

void Watch::follow(const SessionRecord& record) {
  polls_ = no_files_;
  supervisor_.reset();
  command_.reset();
  group_.reset();
  if (is_final(record.state)) return;
  const auto note = [&](const std::string& why) {
    if (polls_.empty()) polls_ = why;
  };
  Pinned supervisor = pin(record.supervisor);
  supervisor_ = std::move(supervisor.pidfd);
  note(supervisor.why_not);
  // As long as the supervisor lives it says itself what becomes of the rest.
  if (supervisor_.valid()) return;
  if (record.command) {
    Pinned command = pin(*record.command);
    command_ = std::move(command.pidfd);
    note(command.why_not);
  }
  follow_group(record, note);
  // Who is left may be known by the run id alone, which wakes nobody.
  if (!command_.valid() && !group_) note("no-handle");
}

void Watch::follow_group(const SessionRecord& record,
                         const std::function<void(const std::string&)>& note) {
  if (!record.cgroup) return;
  auto group = proc::CgroupTree::open(*record.cgroup, record.run);
  if (!group) return note(group.error().cause);
  if (!*group) return;
  // The handle tells of changes since the last question; of one that is empty nobody is waited for.
  const auto populated = (*group)->populated();
  if (!populated) return note(populated.error().cause);
  if (*populated) group_ = std::move(*group);
}

void Watch::add_handles(std::vector<const os::Handle*>& handles) const {
  if (files_) handles.push_back(&files_->handle());
  if (supervisor_.valid()) handles.push_back(&supervisor_);
  if (command_.valid()) handles.push_back(&command_);
  if (group_) handles.push_back(&group_->changes());
}

Result<> Watch::woken() { return files_ ? files_->drain() : Result<>(); }

Result<> Watch::wait(std::optional<std::chrono::milliseconds> limit,
                     std::span<const os::Handle* const> also) {
  std::vector<const os::Handle*> handles(also.begin(), also.end());
  add_handles(handles);
  if (!polls_.empty()) limit = std::min(limit.value_or(kLookAgain), kLookAgain);
  HF_TRY(os::wait_readable(handles, limit));
  return woken();
}

}  // namespace holdfast::session
