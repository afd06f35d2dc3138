// SPDX-License-Identifier: Apache-2.0
#include "os/dir/dir_mark.h"

#include <sys/xattr.h>

#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

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
