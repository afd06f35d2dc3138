// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: a daemon runs as its own user and owns its pid file; whoever breaks
// into it writes the number of somebody else's process there, and root's script kills that. So the
// writer of the file must be somebody who could have killed the process without it: the caller, or
// root. All is asked of the open file, which nobody can exchange any more.
#include "cli/process/kill_pid_file.h"

#include "base/cause.h"
#include "cli/frame/user_file.h"
#include "cli/output/moment.h"
#include "os/file/file_system.h"
#include "os/file/metadata.h"

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

}  // namespace holdfast::cli
