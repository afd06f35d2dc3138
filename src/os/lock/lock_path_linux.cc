// SPDX-License-Identifier: Apache-2.0
#include "os/lock/lock_path.h"

#include <fcntl.h>

#include <cerrno>
#include <utility>

#include "base/path_text.h"
#include "os/file/metadata.h"
#include "os/path/path.h"
#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr int kMostLockPathLinks = 40;  // as the kernel
constexpr int kLockPathTries = 8;
constexpr std::uint32_t kSticky = 01000;
constexpr std::uint32_t kEverybodyWrites = 0002;
constexpr mode_t kModeOfNewLock = 0666;

Error lock_path_error(ErrorCode code, const std::string& path, std::string_view cause,
                      std::string_view detail) {
  return {.code = code,
          .op = "lock",
          .subject = path,
          .cause = std::string(cause),
          .detail = std::string(detail) + "; nothing was locked"};
}

// Whom the link belongs to is asked of the name, not of what it leads to.
Result<> refuse_planted_link(const Dir& dir, const SafeName& name) {
  const FileInfo above = HF_TRY(dir.info());
  constexpr std::uint32_t kShared = kSticky | kEverybodyWrites;
  if ((above.mode & kShared) != kShared) return {};
  const auto link = HF_TRY(dir.info(name));
  if (!link || link->uid == own_uid() || link->uid == above.uid) return {};
  return fail(lock_path_error(ErrorCode::kRefused, dir.path_of(name), "planted-link",
                              "it is a link that another user made in a directory where everybody "
                              "may; name the file that it leads to, if that is what you mean"));
}

bool names_directory(std::string_view path) {
  const std::string_view last = last_component(path);
  return path.ends_with('/') || last == "." || last == "..";
}

// A directory that may not be listed will do, as for flock(1).
Result<Dir> open_parent(const std::string& path) {
  auto dir = Dir::open_following_links(path);
  return dir || dir.error().os_code != EACCES ? std::move(dir) : Dir::open_to_search(path);
}

Result<LockPath> lock_path_in(const std::string& parent, std::string_view last) {
  Dir dir = HF_TRY(open_parent(parent));
  SafeName name = HF_TRY(SafeName::make(std::string(last)));
  std::string real = join_path(HF_TRY(real_path_of(dir)), name.str());
  return LockPath{.dir = std::move(dir), .name = std::move(name), .real_path = std::move(real)};
}

}  // namespace

Result<LockPath> find_lock_path(const std::string& path) {
  HF_TRY(check_path_text(path));
  std::string now = path;
  for (int hops = 0; hops <= kMostLockPathLinks; ++hops) {
    if (names_directory(now)) now = HF_TRY(real_path_of(HF_TRY(Dir::open_following_links(now))));
    if (now == "/") {
      return fail(lock_path_error(ErrorCode::kUsage, path, "root",
                                  "the root directory has no name that could be locked"));
    }
    const std::string_view above = parent_path(now);
    const std::string parent(above.empty() ? "." : above);
    LockPath found = HF_TRY(lock_path_in(parent, last_component(now)));
    const auto link = HF_TRY(found.dir.read_link(found.name));
    if (!link) return found;
    HF_TRY(refuse_planted_link(found.dir, found.name));
    now = is_rooted_path(*link) ? *link : join_path(parent, *link);
  }
  return fail(lock_path_error(ErrorCode::kRefused, path, "too-many-links", "links lead on and on"));
}

Result<std::optional<OpenedFile>> open_lock_path(const Dir& dir, const SafeName& name,
                                                 MakeLockPath make) {
  constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  const std::string path = dir.path_of(name);
  const auto open = [&](int more) {
    return retry_eintr([&] {
      return sys().openat(static_cast<int>(dir.native()), name.c_str(), kFlags | more,
                          kModeOfNewLock);
    });
  };
  const auto is_lockable = [](FileType type) {
    return type == FileType::kRegular || type == FileType::kDirectory;
  };
  for (int tries = 0; tries < kLockPathTries; ++tries) {
    // Looked at before it is opened: opening a device can do something.
    const auto before = HF_TRY(dir.info(name));
    if (!before && make == MakeLockPath::kNo) return std::nullopt;
    if (before && before->type == FileType::kLink) {
      return fail(lock_path_error(ErrorCode::kRefused, path, "is-link", "it is a link by now"));
    }
    if (before && !is_lockable(before->type)) {
      return fail(lock_path_error(ErrorCode::kRefused, path, "not-lockable",
                                  "it is neither a regular file nor a directory"));
    }
    Handle handle(open(before ? 0 : O_CREAT | O_EXCL));
    if (!handle.valid()) {
      if (errno == (before ? ENOENT : EEXIST)) continue;  // somebody else was there in between
      return fail(last_os_error("open lock file", path));
    }
    File file(std::move(handle), path);
    FileInfo info = HF_TRY(file.info());
    if (!is_lockable(info.type)) continue;
    return OpenedFile{.file = std::move(file), .info = std::move(info)};
  }
  return fail(lock_path_error(ErrorCode::kCannotTell, path, "vanishes",
                              "somebody keeps changing what lies there"));
}

}  // namespace holdfast::os
