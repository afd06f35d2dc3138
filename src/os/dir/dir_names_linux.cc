// SPDX-License-Identifier: Apache-2.0
#include "os/dir/dir_names.h"

#include "os/lock/dir_lock.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {

Result<Placed> move_new(const Dir& from, const SafeName& name, const Dir& to,
                        const SafeName& new_name) {
  const int from_fd = static_cast<int>(from.native());
  const int to_fd = static_cast<int>(to.native());
  if (sys().renameat2(from_fd, name.c_str(), to_fd, new_name.c_str(), RENAME_NOREPLACE) == 0) {
    return Placed::kPlaced;
  }
  if (errno == EEXIST) return Placed::kNameTaken;
  return fail(last_os_error("move", from.path_of(name), "nothing has changed"));
}

Result<Placed> make_link(const Dir& dir, const SafeName& name, const std::string& target) {
  HF_TRY(check_path_text(target));
  const int fd = static_cast<int>(dir.native());
  if (sys().symlinkat(target.c_str(), fd, name.c_str()) == 0) return Placed::kPlaced;
  if (errno == EEXIST) return Placed::kNameTaken;
  return fail(last_os_error("make the link", dir.path_of(name), "nothing was created"));
}

Result<Hold> hold_dir(const Dir& /*beside*/, const Dir& dir, const SafeName& /*kind*/,
                      Duration limit) {
  auto lock = std::make_shared<DirLock>(HF_TRY(DirLock::open(dir)));
  if (!HF_TRY(lock->lock(limit))) return Hold();
  return Hold(std::move(lock));
}

Result<Placed> move_open(const Dir& from, const SafeName& name, const Dir& to,
                         const SafeName& new_name, Dir& /*moved*/) {
  return move_new(from, name, to, new_name);
}

Result<Removed> remove_open(const Dir& parent, const SafeName& name, Dir& /*open*/) {
  return parent.remove_dir(name);
}

void close_for_removal(Dir& /*open*/) {}

}  // namespace holdfast::os
