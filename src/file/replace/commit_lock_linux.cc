// SPDX-License-Identifier: Apache-2.0
//
// The file of the lock comes and goes, and the hostile interleaving is the old one of lock files
// that are removed:
//
//   A  holds the inode X, and removes its name
//   B  waited for X, and is given it
//   C  makes the name anew, Y, and locks that: B and C are both in
//
// So who is given an inode looks whether the name still leads to it, and begins again if not. Only
// the holder removes the name, and only while it leads to the inode that it holds.
//
// The mode of the file is the second half: who may write to the directory may open it, and nobody
// else. It is made 0600 and gets the directory's group, and root gives it to the directory's owner,
// before it is opened to them. Until then, and where that fails, the others get EACCES, which is
// "busy" and tried again.
#include <algorithm>
#include <optional>

#include "base/cause.h"
#include "file/replace/commit_lock.h"
#include "os/dir/dir.h"
#include "os/file/metadata.h"
#include "os/file/staged_file.h"
#include "os/lock/dir_lock.h"
#include "os/lock/lock_holders.h"
#include "os/lock/lock_wait.h"
#include "os/machine/real_clock.h"

namespace holdfast::file {
namespace {

class HeldLockFile final : public CommitLock::Held {
 public:
  HeldLockFile(const os::Dir& dir, os::File file, const os::FileId& id)
      : dir_(dir), file_(std::move(file)), id_(id) {}
  HeldLockFile(const HeldLockFile&) = delete;
  HeldLockFile& operator=(const HeldLockFile&) = delete;
  HeldLockFile(HeldLockFile&&) = delete;
  HeldLockFile& operator=(HeldLockFile&&) = delete;
  ~HeldLockFile() override {
    if (leads_to(dir_, id_).value_or(false)) {
      static_cast<void>(dir_.remove_file(os::kDirLockName));  // else the next holder does it
    }
    os::unlock_file(file_);
  }

  static Result<bool> leads_to(const os::Dir& dir, const os::FileId& id) {
    return HF_TRY(dir.id_of(os::kDirLockName)) == id;
  }

 private:
  const os::Dir& dir_;
  os::File file_;
  os::FileId id_;
};

// For those who may write to the directory as well. What fails leaves it to its maker.
Result<> open_to_writers(os::File& file, const os::FileInfo& dir) {
  const std::uint32_t self = os::own_uid();
  const bool give = self == 0 && dir.uid != 0;
  const std::uint32_t group_and_others = dir.mode & 022U;
  if (!give && group_and_others == 0) return {};
  HF_TRY(os::set_owner(file, give ? dir.uid : self, dir.gid));
  return file.set_mode(kPrivateFile | group_and_others | (group_and_others << 1U));
}

// nullopt: it vanished, or it belongs to somebody else who has not opened it to us.
Result<std::optional<os::File>> open_lock(const os::Dir& dir, std::string& holder) {
  auto made = HF_TRY(dir.create_file(os::kDirLockName, kPrivateFile));
  if (made) {
    static_cast<void>(open_to_writers(*made, HF_TRY(dir.info())));
    return made;
  }
  auto there = dir.open_file(os::kDirLockName, os::Access::kRead);
  if (there || there.error().cause != cause::kEacces) return there;
  holder = "another user (" + dir.path_of(os::kDirLockName) + ")";
  return std::nullopt;
}

std::string holder_of(const os::FileId& id) {
  // Nobody in the kernel's list does not mean that nobody holds it: file systems with numbers of
  // their own (btrfs, overlayfs) and pid namespaces hide the entry.
  const auto found = os::flock_holder(id);
  if (!found || !*found) return "another process";
  if (!(*found)->pid) return "a process of another pid namespace";
  return "process " + std::to_string(os::number(*(*found)->pid));
}

}  // namespace

Result<std::unique_ptr<CommitLock::Held>> hold_directory(const os::Dir& dir, Duration wait,
                                                         std::string& holder) {
  const os::RealClock clock;
  const MonoTime start = clock.mono();
  holder = "another process";
  for (unsigned turn = 0;; ++turn) {
    const Duration rest = wait - (clock.mono() - start);
    auto file = HF_TRY(open_lock(dir, holder));
    if (file) {
      const os::FileId id = HF_TRY(file->info()).id;
      if (!HF_TRY(os::lock_file(*file, std::max(rest, Duration::zero())))) {
        holder = holder_of(id);
        return nullptr;
      }
      if (HF_TRY(HeldLockFile::leads_to(dir, id))) {
        return std::make_unique<HeldLockFile>(dir, *std::move(file), id);
      }
    }
    if (rest <= Duration::zero() && turn >= os::kTriesWithoutPause) return nullptr;
    if (!file) os::pause(os::kLongestPause);
  }
}

}  // namespace holdfast::file
