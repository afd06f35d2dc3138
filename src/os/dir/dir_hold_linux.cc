// SPDX-License-Identifier: Apache-2.0
#include "os/dir/dir_hold.h"

#include "os/dir/dir_names.h"
#include "os/lock/dir_lock.h"

namespace holdfast::os {

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
