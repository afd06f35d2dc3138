// SPDX-License-Identifier: Apache-2.0
#include "os/dir/dir_metadata.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <string>

#include "os/file/metadata.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

Result<bool> has_list(NativeHandle handle, const std::string& path) {
  const std::string attribute(kAccessListAttribute);
  if (sys().fgetxattr(static_cast<int>(handle), attribute.c_str(), nullptr, 0) >= 0) return true;
  if (errno == ENODATA || errno == EOPNOTSUPP) return false;
  return fail(last_os_error("read the access list of", path));
}

constexpr const char* kMarkName = "user.holdfast";
// Longer than any mark of ours; what is longer is not read, and is an error.
constexpr std::size_t kMarkRoom = std::size_t{16} * 1024;

int dir_mark_fd(const Dir& dir) { return static_cast<int>(dir.native()); }

bool is_not_offered() { return errno == EOPNOTSUPP || errno == ENOSYS; }

// No room for it, which on ext4 is a block for all attributes of a file, or no right to write it.
bool cannot_be_marked() {
  return is_not_offered() || errno == EPERM || errno == EACCES || errno == ENOSPC ||
         errno == E2BIG || errno == ERANGE;
}

}  // namespace

Result<> set_owner(const Dir& dir, std::uint32_t uid, std::uint32_t gid) {
  if (sys().fchown(static_cast<int>(dir.native()), uid, gid) == 0) return {};
  return fail(last_os_error("set the owner of", dir.path()));
}

Result<> set_mode(const Dir& dir, std::uint32_t mode) {
  if (sys().fchmod(static_cast<int>(dir.native()), mode) == 0) return {};
  return fail(last_os_error("set the mode of", dir.path()));
}

Result<bool> has_access_list(const Dir& dir) { return has_list(dir.native(), dir.path()); }
Result<bool> has_access_list(const File& file) { return has_list(file.native(), file.path()); }

Result<> check_may_create(const Dir& dir) {
  if (sys().faccessat(static_cast<int>(dir.native()), ".", W_OK | X_OK, AT_EACCESS) == 0) return {};
  return fail(last_os_error("create something in", dir.path(), "nothing was created"));
}

Result<std::int64_t> birth_time_of(const Dir& dir) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  struct statx found{};
  if (sys().statx(static_cast<int>(dir.native()), "", AT_EMPTY_PATH, STATX_BTIME, &found) != 0) {
    if (errno == ENOSYS || errno == EPERM) return 0;
    return fail(last_os_error("look at", dir.path()));
  }
  if ((found.stx_mask & STATX_BTIME) == 0) return 0;
  return found.stx_btime.tv_sec * kSecond + found.stx_btime.tv_nsec;
}

bool offers_marks() { return true; }

Result<Marked> put_mark(const Dir& dir, std::string_view bytes) {
  if (sys().fsetxattr(dir_mark_fd(dir), kMarkName, bytes.data(), bytes.size(), XATTR_CREATE) == 0) {
    return Marked::kMarked;
  }
  if (errno == EEXIST) return Marked::kTaken;
  if (cannot_be_marked()) return Marked::kNotOffered;
  return fail(last_os_error("mark", dir.path()));
}

Result<std::optional<std::string>> mark_of(const Dir& dir) {
  std::string bytes(kMarkRoom, '\0');
  const ssize_t got = sys().fgetxattr(dir_mark_fd(dir), kMarkName, bytes.data(), bytes.size());
  if (got < 0) {
    if (errno == ENODATA || is_not_offered()) return std::nullopt;
    return fail(last_os_error("read the mark of", dir.path()));
  }
  bytes.resize(static_cast<std::size_t>(got));
  return bytes;
}

Result<> remove_mark(const Dir& dir) {
  if (sys().fremovexattr(dir_mark_fd(dir), kMarkName) == 0) return {};
  if (errno == ENODATA || is_not_offered()) return {};
  return fail(last_os_error("take the mark off", dir.path()));
}

}  // namespace holdfast::os
