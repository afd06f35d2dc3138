// SPDX-License-Identifier: Apache-2.0
#include "file/replace/commit_lock.h"
#include "os/lock/dir_lock.h"

namespace holdfast::file {
namespace {

struct HeldDirLock final : CommitLock::Held {
  explicit HeldDirLock(os::DirLock taken) : lock(std::move(taken)) {}
  os::DirLock lock;
};

}  // namespace

Result<std::unique_ptr<CommitLock::Held>> hold_directory(const os::Dir& dir, Duration wait,
                                                         std::string& holder) {
  os::DirLock lock = HF_TRY(os::DirLock::open(dir));
  if (HF_TRY(lock.lock(wait))) return std::make_unique<HeldDirLock>(std::move(lock));
  holder = "another process";
  return nullptr;
}

}  // namespace holdfast::file
