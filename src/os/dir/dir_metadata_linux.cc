// SPDX-License-Identifier: Apache-2.0
#include "os/dir/dir_metadata.h"

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

}  // namespace holdfast::os
