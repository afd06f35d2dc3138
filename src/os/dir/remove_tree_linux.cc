// SPDX-License-Identifier: Apache-2.0
//
// The hostile cases of removing a tree:
//
//   - Between "it is a directory" and opening it, it becomes a link to somebody's home. So the open
//     itself refuses links, and what a directory is called is only ever used below the open
//     directory that lists it.
//   - It is a mount. The device does not tell (a bind mount has the same one); openat2 with
//     RESOLVE_NO_XDEV does, in the same step as the open.
//   - It is ten thousand levels deep. A descriptor per level runs out; going back by `..` may lead
//     elsewhere, where somebody has moved a directory. So from level kTreeDescriptors on, a
//     directory is moved to the top of the tree (still inside of it: a crash leaves one tree) and
//     is met there again, near the root. Each move brings the depth down, so this ends.
//   - An entry is removed while the directory is being read. ext4, xfs and btrfs return every other
//     entry exactly once all the same; where one does not, the rmdir says ENOTEMPTY and the
//     directory is read again, as long as a round removes something, and at most kRounds times: a
//     process that goes on adding to it would keep us here for ever.
#include "os/dir/remove_tree.h"

#include <sys/sysmacros.h>

#include <array>
#include <memory>
#include <string_view>

#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr int kRemoveTreeOpenDir = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr std::size_t kListBytes = 16384;
constexpr std::size_t kLevels = kTreeDescriptors - 4;
constexpr int kRemoveTreeEagainTries = 16;
constexpr int kMoveTries = 64;
constexpr int kRounds = 64;
constexpr mode_t kOwn = 0700;
constexpr std::string_view kMovedName = ".hf-deep-";

struct Level {
  alignas(dirent64) std::array<char, kListBytes> entries;
  std::string name;
};

class Walk {
 public:
  Walk(int parent, const Flag* stop) : parent_(parent), stop_(stop) {}

  void remove(const std::string& name) {
    result_.gone = remove_entry(parent_, name.c_str(), DT_UNKNOWN, 0) == Fate::kGone;
  }
  TreeRemoval take() { return std::move(result_); }

 private:
  enum class Fate : std::uint8_t { kGone, kStays, kMoved };

  bool stopped() {
    result_.stopped = result_.stopped || (stop_ != nullptr && stop_->raised());
    return result_.stopped;
  }

  // `depth` levels are open; the last of them is `dir`.
  Fate remove_entry(int dir, const char* name, unsigned char type, std::size_t depth) {
    if (type != DT_DIR) {
      int os_code = unlink_in(dir, name, 0, depth);
      if (os_code == 0) return gone();
      if (os_code == ENOENT) return Fate::kGone;
      const bool may_be_dir = type == DT_UNKNOWN || type == DT_LNK || type == DT_REG;
      if (!may_be_dir || (os_code != EISDIR && os_code != EPERM)) {
        return fault(name, os_code, depth);
      }
      if (os_code == EPERM && !is_dir(dir, name)) return fault(name, EPERM, depth);
    }
    return remove_dir(dir, name, depth);
  }

  Fate remove_dir(int dir, const char* name, std::size_t depth) {
    if (stopped()) return Fate::kStays;
    // Most directories of a tree that was worked in are not empty; trying first would cost more.
    if (depth >= kLevels) return move_up(dir, name, depth);
    int os_code = 0;
    const Handle handle(open_dir(dir, name, os_code, depth));
    if (!handle.valid()) {
      if (os_code == ENOENT) return Fate::kGone;
      if (os_code == EXDEV) return mount_fault(name, depth);
      if (os_code == ELOOP || os_code == ENOTDIR) {  // swapped since it was listed
        os_code = unlink_in(dir, name, 0, depth);
        if (os_code == 0) return gone();
      }
      return fault(name, os_code, depth);
    }
    const int fd = fd_of(handle);
    if (depth == 0) top_ = fd;
    if (levels_.size() == depth) levels_.push_back(std::make_unique<Level>());
    levels_[depth]->name = name;
    return empty_and_remove(dir, fd, name, depth);
  }

  Fate empty_and_remove(int dir, int fd, const char* name, std::size_t depth) {
    bool stays = false;
    int rounds = 0;
    for (bool first = true;; first = false) {
      const std::uint64_t removed = result_.removed;
      const std::uint64_t moved = moved_;
      // What stays has been counted; at the top only what was moved there is still to be looked at.
      stays = !empty(fd, depth, first, stays) || stays;
      if (result_.stopped) return Fate::kStays;
      const bool more_at_top = depth == 0 && moved_ != moved;
      if (stays && !more_at_top) return Fate::kStays;
      if (stays) continue;
      const int os_code = unlink_in(dir, name, AT_REMOVEDIR, depth);
      if (os_code == 0) return gone();
      if (os_code == ENOENT) return Fate::kGone;
      const bool not_empty = os_code == ENOTEMPTY || os_code == EEXIST;
      if (!not_empty || (result_.removed == removed && moved_ == moved)) {
        return fault(name, os_code, depth);
      }
      // Rounds that flatten a deep tree come to an end by themselves.
      if (moved_ == moved && ++rounds == kRounds) return fault(name, os_code, depth);
    }
  }

  // One reading of the directory. False: something stays.
  bool empty(int fd, std::size_t depth, bool first, bool only_moved) {
    // Later rounds need a description of their own, to read from the start.
    Handle again;
    if (!first)
      again.reset(retry_eintr([&] { return sys().openat(fd, ".", kRemoveTreeOpenDir, 0); }));
    const int list = first ? fd : fd_of(again);
    Level& level = *levels_[depth];
    bool all = true;
    for (;;) {
      const ssize_t got = sys().getdents64(list, level.entries.data(), level.entries.size());
      if (got < 0) {
        fault(nullptr, errno, depth + 1);
        return false;
      }
      if (got == 0) return all;
      if (stopped()) return false;  // also in a directory of a million files
      for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
        const auto* entry = reinterpret_cast<const dirent64*>(level.entries.data() + at);
        at += entry->d_reclen;
        const char* name = &entry->d_name[0];
        if (name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'))) continue;
        if (only_moved && !std::string_view(name).starts_with(kMovedName)) continue;
        all = remove_entry(fd, name, entry->d_type, depth + 1) != Fate::kStays && all;
        if (result_.stopped) return false;
      }
    }
  }

  Fate gone() {
    ++result_.removed;
    return Fate::kGone;
  }

  // 0, or the errno. A directory of our own that is not writable is made so.
  int unlink_in(int dir, const char* name, int flags, std::size_t depth) {
    if (sys().unlinkat(dir, name, flags) == 0) return 0;
    const int os_code = errno;
    // The parent of the whole is not ours to change.
    if (os_code != EACCES || depth == 0 || sys().fchmod(dir, kOwn) != 0) return os_code;
    return sys().unlinkat(dir, name, flags) == 0 ? 0 : errno;
  }

  static bool is_dir(int dir, const char* name) {
    struct stat info{};
    return sys().fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode);
  }

  int open_dir(int dir, const char* name, int& os_code, std::size_t depth) {
    int fd = open_once(dir, name, os_code);
    if (fd < 0 && os_code == EACCES) {
      // No rights: of the directory (made readable, by name but never through a link), or of the
      // one that it is in.
      if (depth > 0) sys().fchmod(dir, kOwn);
      // What is mounted there is somebody else's: its mode is not touched.
      if (may_be_mount(dir, name)) {
        os_code = EXDEV;
        return -1;
      }
      if (sys().fchmodat(dir, name, kOwn, AT_SYMLINK_NOFOLLOW) == 0) {
        fd = open_once(dir, name, os_code);
      }
    }
    return fd;
  }

  // Also where it cannot be told.
  static bool may_be_mount(int dir, const char* name) {
    struct stat above{};
    if (sys().fstat(dir, &above) != 0) return true;
    struct statx here{};
    if (sys().statx(dir, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_TYPE, &here) != 0) {
      return true;
    }
    const bool told = (here.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) != 0;
    const bool root = told && (here.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
    return root || makedev(here.stx_dev_major, here.stx_dev_minor) != above.st_dev;
  }

  int open_once(int dir, const char* name, int& os_code) {
    open_how how{};
    how.flags = static_cast<std::uint64_t>(kRemoveTreeOpenDir);
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV;
    for (int i = 0; i < kRemoveTreeEagainTries && openat2_works_; ++i) {
      const int fd = retry_eintr([&] { return sys().openat2(dir, name, &how); });
      if (fd >= 0) return fd;
      os_code = errno;
      if (os_code == ENOSYS || os_code == EPERM) openat2_works_ = false;
      if (os_code != EAGAIN) break;
    }
    if (openat2_works_ && os_code != EAGAIN) return -1;
    return open_and_compare(dir, name, os_code);
  }

  // The old way: open, then see whether the mount, or else the device, is still the same.
  static int open_and_compare(int dir, const char* name, int& os_code) {
    Handle handle(retry_eintr([&] { return sys().openat(dir, name, kRemoveTreeOpenDir, 0); }));
    if (!handle.valid()) {
      os_code = errno;
      return -1;
    }
    struct stat above{};
    struct stat here{};
    if (sys().fstat(dir, &above) != 0 || sys().fstat(fd_of(handle), &here) != 0) {
      os_code = errno;
      return -1;
    }
    struct statx mount{};
    const bool told = sys().statx(fd_of(handle), "", AT_EMPTY_PATH, STATX_TYPE, &mount) == 0 &&
                      (mount.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) != 0;
    const bool is_mount = told && (mount.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
    if (is_mount || above.st_dev != here.st_dev) {
      os_code = EXDEV;
      return -1;
    }
    return static_cast<int>(handle.release());
  }

  // Too deep: to the top of the tree, where it is found again.
  Fate move_up(int dir, const char* name, std::size_t depth) {
    for (int i = 0; i < kMoveTries; ++i) {
      const std::string to = std::string(kMovedName) + std::to_string(moved_names_++);
      if (sys().renameat2(dir, name, top_, to.c_str(), RENAME_NOREPLACE) == 0) {
        ++moved_;
        return Fate::kMoved;
      }
      if (errno == EEXIST) continue;
      if (errno == ENOENT) return Fate::kGone;
      if (errno == EACCES) {
        sys().fchmod(dir, kOwn);
        sys().fchmod(top_, kOwn);
        if (!may_be_mount(dir, name)) sys().fchmodat(dir, name, kOwn, AT_SYMLINK_NOFOLLOW);
        if (i < 2) continue;
        errno = EACCES;
      }
      return fault(name, errno, depth);
    }
    return fault(name, EEXIST, depth);
  }

  Fate fault(const char* name, int os_code, std::size_t depth) {
    if (os_code == EBUSY) return mount_fault(name, depth);  // of a file, or made meanwhile
    return fault_because(name, os_error("remove", "", os_code).cause, depth);
  }
  Fate mount_fault(const char* name, std::size_t depth) {
    return fault_because(name, "is-mount", depth);
  }
  Fate fault_because(const char* name, std::string cause, std::size_t depth) {
    ++result_.faults;
    if (result_.first_faults.size() == kMaxTreeFaults) return Fate::kStays;
    std::string path;
    for (std::size_t i = 0; i < depth && i < levels_.size(); ++i) {
      if (!path.empty()) path += '/';
      path += levels_[i]->name;
    }
    if (name != nullptr) {
      if (!path.empty()) path += '/';
      path += name;
    }
    result_.first_faults.push_back({.path = std::move(path), .cause = std::move(cause)});
    return Fate::kStays;
  }

  int parent_;
  const Flag* stop_;
  int top_ = -1;
  bool openat2_works_ = true;
  std::uint64_t moved_ = 0;
  std::uint64_t moved_names_ = 0;
  std::vector<std::unique_ptr<Level>> levels_;
  TreeRemoval result_;
};

}  // namespace

TreeRemoval remove_tree(const Dir& parent, const SafeName& name, const Flag* stop) {
  Walk walk(static_cast<int>(parent.native()), stop);
  walk.remove(name.str());
  return walk.take();
}

}  // namespace holdfast::os
