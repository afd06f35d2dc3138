// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: a daemon runs as its own user and owns its pid file; whoever breaks
// into it writes the number of somebody else's process there, and root's script kills that. So the
// writer of the file must be somebody who could have killed the process without it: the caller, or
// root. All is asked of the open file, which nobody can exchange any more.
#include "cli/process/kill_target.h"

#include "base/cause.h"
#include "cli/frame/user_file.h"
#include "cli/output/moment.h"
#include "cli/process/kill_order.h"
#include "cli/session/session_found.h"
#include "os/file/file_system.h"
#include "os/file/metadata.h"
#include "os/machine/real_clock.h"
#include "os/watch/poll.h"
#include "proc/identity/identity.h"
#include "proc/kill/kill.h"
#include "proc/tree/cgroup.h"
#include "run/orphan/orphan_proof.h"
#include "runtime/runtime.h"
#include "session/record/view.h"

namespace holdfast::cli {
namespace {

constexpr std::uint32_t kSticky = 01000;
constexpr std::uint32_t kOthersMayWrite = 022;

std::unexpected<Error> kill_pid_file_refused(const std::string& path, const char* cause,
                                             const char* why) {
  return fail({.code = ErrorCode::kRefused,
               .op = "rely on the pid file",
               .subject = path,
               .cause = cause,
               .detail = std::string(why) + "; nothing was signalled"});
}

std::unexpected<Error> kill_pid_file_cannot_tell(const std::string& path, const char* cause,
                                                 const char* why) {
  return fail({.code = ErrorCode::kCannotTell,
               .op = "rely on the pid file",
               .subject = path,
               .cause = cause,
               .detail = std::string(why) + "; nothing was signalled"});
}

bool is_trusted(std::uint32_t uid) { return uid == 0 || uid == os::own_uid(); }

Result<> check_file(const std::string& path, const os::FileInfo& info) {
  if (!is_trusted(info.uid))
    return kill_pid_file_refused(path, "foreign-owner",
                                 "it is another user's, who could write any number");
  if ((info.mode & kOthersMayWrite) != 0)
    return kill_pid_file_refused(path, "writable-by-others", "others may write any number into it");
  if (info.links != 1)
    return kill_pid_file_refused(path, "hard-links",
                                 "it has a second name, perhaps of another purpose");
  return {};
}

Result<> check_directory(const std::string& path, const os::Dir& dir) {
  const os::FileInfo info = HF_TRY(dir.info());
  const bool others_write = (info.mode & kOthersMayWrite) != 0 && (info.mode & kSticky) == 0;
  if (is_trusted(info.uid) && !others_write) return {};
  return kill_pid_file_refused(path, "unsafe-directory",
                               "others may put another file into its place");
}

// Its time must be of this machine's clock.
Result<> check_clock(const std::string& path, const os::Dir& dir) {
  using Kind = os::FileSystemKind;
  const Kind kind = HF_TRY(os::file_system_of(dir)).kind;
  if (kind != Kind::kNetwork) return {};
  return kill_pid_file_cannot_tell(path, "network-file-system",
                                   "its time is of the clock of another machine");
}

bool looks_like_identity(std::string_view bytes) {
  return bytes.find_first_not_of(" \t\r\n") != bytes.npos && bytes.contains("\"pidns\"");
}

}  // namespace

Result<PidFileContent> read_pid_file(const Args& args, const Clock& clock) {
  const std::string path = *args.text("pidfile");
  proc::PidFileClaim claim;
  if (const auto typed = args.text("started-after"))
    claim.started_after = HF_TRY(parse_moment("started-after", *typed, clock.wall()));
  claim.start_ticks = args.integer("starttime");

  const UserFile at = HF_TRY(locate_file(path));
  HF_TRY(check_directory(path, at.dir));
  const std::optional<os::File> file = HF_TRY(at.dir.open_file(at.name, os::Access::kRead));
  if (!file) {
    return fail({.code = ErrorCode::kNotFound,
                 .op = "read the pid file",
                 .subject = path,
                 .cause = cause::kEnoent,
                 .detail = "there is no such file"});
  }
  const os::FileInfo before = HF_TRY(file->info());
  HF_TRY(check_file(path, before));
  const std::string bytes = HF_TRY(file->read_at(0, kMaxPidFileBytes + 1));
  const os::FileInfo after = HF_TRY(file->info());
  if (after.modified != before.modified || after.size != before.size)
    return kill_pid_file_cannot_tell(path, "file-changed", "somebody is writing to it");
  if (looks_like_identity(bytes)) return HF_TRY(decode_identity(bytes, path));
  HF_TRY(check_clock(path, at.dir));
  claim.text = read_pid_file_text(bytes);
  claim.written = before.modified;
  return claim;
}

namespace {

class GroupKiller final : public proc::TreeKiller {
 public:
  explicit GroupKiller(proc::CgroupTree group) : group_(std::move(group)) {}

  Result<> kill_all() override {
    HF_TRY(group_.kill());
    return {};
  }

  Result<bool> proven_empty(Duration limit) override {
    const os::RealClock clock;
    const MonoTime until = clock.mono() + limit;
    for (;;) {
      if (!HF_TRY(group_.populated())) return true;
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - clock.mono());
      if (left <= std::chrono::milliseconds::zero()) return false;
      HF_TRY(os::wait_readable({&group_.changes()}, left));
    }
  }

 private:
  proc::CgroupTree group_;
};

// Null if the record names no group that is there. A group is believed only if it is named after
// the record's own run (proc/tree/cgroup_find.h).
Result<std::unique_ptr<proc::TreeKiller>> group_of_session(const SessionRecord& record) {
  std::unique_ptr<proc::TreeKiller> none;
  if (!record.cgroup) return none;
  auto group = HF_TRY(proc::CgroupTree::open(*record.cgroup, record.run));
  if (!group) return none;
  return std::make_unique<GroupKiller>(std::move(*group));
}

}  // namespace

Result<int> kill_session(Context& context, const std::string& name, proc::KillOrder order) {
  const session::SessionDir dir = HF_TRY(find_session(context, name));
  const auto record = HF_TRY(dir.read());
  if (!record) return fail(session::no_such_session(name));
  auto* locks = HF_TRY(context.runtime().locks());
  EventSink& events = context.runtime().events();
  const proc::Identity target = proc::from_record(record->command.value_or(record->supervisor));
  const std::string doubt = HF_TRY(run::doubt_about(*locks, dir, *record));
  if (!doubt.empty()) {
    proc::KillReport refused{.outcome = proc::KillOutcome::kMismatch, .evidence = doubt};
    proc::record_outcome(target, order, refused, events);
    return answer_kill(context, os::number(target.pid), refused);
  }
  order.run = record->run;
  std::unique_ptr<proc::TreeKiller> group;
  if (order.tree) group = HF_TRY(group_of_session(*record));
  order.group = group.get();
  const proc::KillReport report = HF_TRY(proc::kill_process(target, order, events));
  return answer_kill(context, os::number(target.pid), report);
}

}  // namespace holdfast::cli
