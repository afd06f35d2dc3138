// SPDX-License-Identifier: Apache-2.0
//
// Opening without following links.
//
// The hostile case: between our check that `a` is a directory and our use of `a/b`, somebody
// replaces `a` by a link to a place of theirs. Checking paths first can therefore never be right.
// What is right is to let the kernel refuse links while it resolves (openat2 with
// RESOLVE_NO_SYMLINKS), or to hold each component open and take the next step from its descriptor
// with O_NOFOLLOW: a descriptor cannot be swapped. Both ways give the same answers;
// dir_contract_test.cc runs with each.
#include "os/dir/dir.h"

#include <sys/sysmacros.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "base/cause.h"
#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr int kDirOpenDir = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
// For names alone: the right to search the directory is enough.
constexpr int kDirOpenSearch = kDirOpenDir | O_PATH;
constexpr int kDirEagainTries = 16;  // openat2 answers EAGAIN when a rename raced the resolution

Error dir_refused(std::string_view path, std::string_view cause, std::string_view detail) {
  return {.code = ErrorCode::kRefused,
          .op = "open",
          .subject = std::string(path),
          .cause = std::string(cause),
          .detail = std::string(detail)};
}

// Turns the errno of a failed no-follow open into an Error that says what is in the way. The look
// by name afterwards serves the message only: whatever it finds, the open was refused.
Error dir_explain_open(int dir, const char* name, const std::string& path, int os_code) {
  if (os_code == ELOOP || os_code == ENOTDIR) {
    struct stat info{};
    const bool seen = sys().fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW) == 0;
    if (os_code == ELOOP || (seen && S_ISLNK(info.st_mode))) {
      return dir_refused(path, cause::kIsLink, "it is a symbolic link, or leads through one");
    }
    return dir_refused(path, cause::kNotADirectory, "it is not a directory");
  }
  return os_error("open", path, os_code);
}

int open_without_links_at(int dir, const char* path, std::uint64_t resolve,
                          int flags = kDirOpenDir) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags);
  how.resolve = resolve;
  int fd = -1;
  for (int i = 0; i < kDirEagainTries; ++i) {
    fd = retry_eintr([&] { return sys().openat2(dir, path, &how); });
    if (fd >= 0 || errno != EAGAIN) break;
  }
  return fd;
}

// An old kernel says ENOSYS, a seccomp filter EPERM; EAGAIN is left when renames never let it
// finish.
bool openat2_is_no_use(int os_code) {
  return os_code == ENOSYS || os_code == EPERM || os_code == EAGAIN;
}

FileType dir_type_of(unsigned char d_type) {
  switch (d_type) {
    case DT_REG:
      return FileType::kRegular;
    case DT_DIR:
      return FileType::kDirectory;
    case DT_LNK:
      return FileType::kLink;
    case DT_UNKNOWN:
      return FileType::kUnknown;
    default:
      return FileType::kOther;
  }
}

// Drops trailing "/" and "/.": behind them the last component is resolved through a link, whatever
// O_NOFOLLOW says.
std::string without_tail(std::string path) {
  for (;;) {
    if ((path.size() > 1 && path.ends_with('/')) || path.ends_with("/.")) {
      path.pop_back();
    } else {
      return path;
    }
  }
}

int open_flags(Access access) {
  switch (access) {
    case Access::kRead:
      return O_RDONLY;
    case Access::kReadWrite:
      return O_RDWR;
    case Access::kAppend:
      return O_RDWR | O_APPEND;
  }
  return O_RDONLY;
}

// What a failed step leaves of a thing that was just made. `removal` is what unlinkat answered.
std::string_view state_after(int removal) {
  return removal == 0 ? "it was removed again" : "it is there, new and empty: its removal failed";
}

Result<Handle> handle_without_links(const std::string& path, int flags) {
  HF_TRY(check_path_text(path));
  const int fd = open_without_links_at(AT_FDCWD, path.c_str(),
                                       RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS, flags);
  if (fd >= 0) return Handle(fd);
  if (!openat2_is_no_use(errno) && errno != ELOOP) {
    return fail(dir_explain_open(AT_FDCWD, path.c_str(), path, errno));
  }
  // Step by step: without openat2 this is the way, and with it the step that fails names the link.
  // On the way the right to search is enough, as it is for the kernel.
  std::vector<std::string> components{path.starts_with('/') ? "/" : "."};
  for (std::size_t start = 0; start < path.size();) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    std::string component = path.substr(start, end - start);
    start = end + 1;
    if (!component.empty() && component != ".") components.push_back(std::move(component));
  }
  Handle step;
  std::string walked;
  for (std::size_t i = 0; i < components.size(); ++i) {
    const char* component = components[i].c_str();
    const int from = i == 0 ? AT_FDCWD : fd_of(step);
    const int step_flags = i + 1 == components.size() ? flags : kDirOpenSearch;
    if (!walked.empty() && !walked.ends_with('/')) walked += '/';
    if (i > 0 || component[0] == '/') walked += component;
    const int next = retry_eintr([&] { return sys().openat(from, component, step_flags, 0); });
    if (next < 0) {
      return fail(dir_explain_open(from, component, walked.empty() ? "." : walked, errno));
    }
    step = Handle(next);
  }
  return step;
}

}  // namespace

Result<Dir> Dir::open(const std::string& path) {
  HF_TRY(check_path_text(path));
  const std::string trimmed = without_tail(path);
  const int fd =
      retry_eintr([&] { return sys().openat(AT_FDCWD, trimmed.c_str(), kDirOpenDir, 0); });
  if (fd < 0) return fail(dir_explain_open(AT_FDCWD, trimmed.c_str(), trimmed, errno));
  return Dir(Handle(fd), trimmed);
}

Result<Dir> Dir::open_following_links(const std::string& path) {
  HF_TRY(check_path_text(path));
  constexpr int kFlags = kDirOpenDir & ~O_NOFOLLOW;
  const int fd = retry_eintr([&] { return sys().openat(AT_FDCWD, path.c_str(), kFlags, 0); });
  if (fd < 0) return fail(dir_explain_open(AT_FDCWD, path.c_str(), path, errno));
  return Dir(Handle(fd), path);
}

Result<Dir> Dir::open_without_links(const std::string& path) {
  return Dir(HF_TRY(handle_without_links(path, kDirOpenDir)), path);
}

Result<Dir> Dir::open_to_search(const std::string& path) {
  return Dir(HF_TRY(handle_without_links(path, kDirOpenSearch)), path);
}

std::string Dir::path_of(const SafeName& name) const {
  return path_.ends_with('/') ? path_ + name.str() : path_ + "/" + name.str();
}

Result<Dir> Dir::open_dir(const SafeName& name) const {
  const int fd =
      retry_eintr([&] { return sys().openat(fd_of(handle_), name.c_str(), kDirOpenDir, 0); });
  if (fd < 0) return fail(dir_explain_open(fd_of(handle_), name.c_str(), path_of(name), errno));
  return Dir(Handle(fd), path_of(name));
}

Result<Dir> Dir::open_dir_beneath(std::string_view relative) const {
  // Checked whole first, so that both ways below see the same well-formed components.
  std::vector<SafeName> components;
  for (std::size_t start = 0; start <= relative.size();) {
    const std::size_t end = std::min(relative.find('/', start), relative.size());
    components.push_back(HF_TRY(SafeName::make(relative.substr(start, end - start))));
    start = end + 1;
  }

  const std::string text(relative);
  const int fd = open_without_links_at(
      fd_of(handle_), text.c_str(), RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
  const std::string full = path_ + "/" + text;
  if (fd >= 0) return Dir(Handle(fd), full);
  if (!openat2_is_no_use(errno))
    return fail(dir_explain_open(fd_of(handle_), text.c_str(), full, errno));

  Dir step = HF_TRY(open_dir(components.front()));
  for (std::size_t i = 1; i < components.size(); ++i) step = HF_TRY(step.open_dir(components[i]));
  return step;
}

Result<std::optional<File>> Dir::open_file(const SafeName& name, Access access) const {
  // O_NONBLOCK: a FIFO put in the file's place must not hang us; it has no effect on a regular
  // file.
  const int flags = open_flags(access) | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  const int fd = retry_eintr([&] { return sys().openat(fd_of(handle_), name.c_str(), flags, 0); });
  if (fd < 0) {
    if (errno == ENOENT) return std::nullopt;
    if (errno == EISDIR || errno == ENXIO) {
      return fail(dir_refused(path_of(name), cause::kNotARegularFile, "it is not a regular file"));
    }
    return fail(dir_explain_open(fd_of(handle_), name.c_str(), path_of(name), errno));
  }
  File file(Handle(fd), path_of(name),
            access == Access::kAppend ? File::Writes::kAtEnd : File::Writes::kAtPosition);
  const FileInfo info = HF_TRY(file.info());
  if (info.type != FileType::kRegular) {
    return fail(dir_refused(path_of(name), cause::kNotARegularFile, "it is not a regular file"));
  }
  return file;
}

Result<std::optional<File>> Dir::create_file(const SafeName& name, std::uint32_t mode) const {
  constexpr int kFlags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const int fd =
      retry_eintr([&] { return sys().openat(fd_of(handle_), name.c_str(), kFlags, 0600); });
  if (fd < 0) {
    if (errno == EEXIST) return std::nullopt;
    return fail(last_os_error("create", path_of(name), "nothing was created"));
  }
  File file(Handle(fd), path_of(name));
  if (sys().fchmod(fd, mode) != 0) {
    const int os_code = errno;
    const int removal = sys().unlinkat(fd_of(handle_), name.c_str(), 0);
    return fail(os_error("set the mode of", path_of(name), os_code, state_after(removal)));
  }
  return file;
}

Result<Made> Dir::make_dir(const SafeName& name, std::uint32_t mode) const {
  if (sys().mkdirat(fd_of(handle_), name.c_str(), mode) != 0) {
    if (errno == EEXIST) return Made::kAlreadyThere;
    return fail(last_os_error("create the directory", path_of(name), "nothing was created"));
  }
  const auto pin_mode = [&]() -> Result<> {
    Result<Dir> made = open_dir(name);
    if (!made && made.error().os_code == EACCES) {
      // A umask that takes away our own rights; by name, but never through a link.
      if (sys().fchmodat(fd_of(handle_), name.c_str(), mode, AT_SYMLINK_NOFOLLOW) != 0) {
        return fail(last_os_error("set the mode of", path_of(name)));
      }
      made = open_dir(name);
    }
    if (!made) return fail(made.error());
    if (HF_TRY(made->info()).mode == mode) return {};
    if (sys().fchmod(fd_of(made->handle_), mode) == 0) return {};
    return fail(last_os_error("set the mode of", path_of(name)));
  };
  const Result<> pinned = pin_mode();
  if (!pinned) {
    Error error = pinned.error();
    const int removal = sys().unlinkat(fd_of(handle_), name.c_str(), AT_REMOVEDIR);
    error.detail += "; " + std::string(state_after(removal));
    return fail(std::move(error));
  }
  return Made::kMade;
}

Result<Placed> Dir::rename_new(const SafeName& from, const SafeName& to) const {
  const int fd = fd_of(handle_);
  if (sys().renameat2(fd, from.c_str(), fd, to.c_str(), RENAME_NOREPLACE) == 0) {
    return Placed::kPlaced;
  }
  if (errno == EEXIST) return Placed::kNameTaken;
  return fail(last_os_error("give the name to", path_of(to), "nothing has changed"));
}

Result<> Dir::rename_over(const SafeName& from, const SafeName& to) const {
  const int fd = fd_of(handle_);
  if (sys().renameat2(fd, from.c_str(), fd, to.c_str(), 0) == 0) return {};
  return fail(last_os_error("give the name to", path_of(to), "nothing has changed"));
}

Result<Placed> Dir::take_name(const SafeName& from, const SafeName& to) const {
  HF_TRY(rename_over(from, to));
  return Placed::kPlaced;
}

Result<bool> Dir::is_held_open(const SafeName& /*name*/) const { return false; }

Result<Exchanged> Dir::exchange(const SafeName& one, const SafeName& other) const {
  const int fd = fd_of(handle_);
  if (sys().renameat2(fd, one.c_str(), fd, other.c_str(), RENAME_EXCHANGE) == 0) {
    return Exchanged::kExchanged;
  }
  if (errno == EINVAL || errno == ENOSYS) return Exchanged::kUnsupported;
  return fail(last_os_error("give the name to", path_of(other), "nothing has changed"));
}

Result<std::optional<std::string>> Dir::read_link(const SafeName& name) const {
  std::array<char, 4096> buffer;
  const ssize_t got = sys().readlinkat(fd_of(handle_), name.c_str(), buffer.data(), buffer.size());
  if (got < 0) {
    if (errno == EINVAL || errno == ENOENT) return std::nullopt;
    return fail(last_os_error("read the link", path_of(name)));
  }
  if (static_cast<std::size_t>(got) == buffer.size()) {
    return fail(os_error("read the link", path_of(name), ENAMETOOLONG));
  }
  return std::string(buffer.data(), static_cast<std::size_t>(got));
}

Result<Removed> Dir::remove_file(const SafeName& name) const {
  if (sys().unlinkat(fd_of(handle_), name.c_str(), 0) == 0) return Removed::kRemoved;
  if (errno == ENOENT) return Removed::kNotThere;
  return fail(last_os_error("remove", path_of(name)));
}

Result<Removed> Dir::remove_dir(const SafeName& name) const {
  if (sys().unlinkat(fd_of(handle_), name.c_str(), AT_REMOVEDIR) == 0) return Removed::kRemoved;
  if (errno == ENOENT) return Removed::kNotThere;
  return fail(last_os_error("remove the directory", path_of(name)));
}

Result<std::optional<FileInfo>> Dir::info(const SafeName& name) const {
  struct stat info{};
  if (sys().fstatat(fd_of(handle_), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return std::nullopt;
    return fail(last_os_error("look at", path_of(name)));
  }
  return to_file_info(info);
}

Result<std::optional<FileId>> Dir::id_of(const SafeName& name) const {
  struct statx found{};
  constexpr int kFlags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT;
  if (sys().statx(fd_of(handle_), name.c_str(), kFlags, STATX_TYPE | STATX_INO, &found) == 0) {
    return FileId{.device = makedev(found.stx_dev_major, found.stx_dev_minor),
                  .inode = found.stx_ino};
  }
  if (errno == ENOENT) return std::nullopt;
  if (errno != ENOSYS && errno != EPERM) return fail(last_os_error("look at", path_of(name)));
  const auto all = HF_TRY(info(name));  // a filter that does not know the call
  if (!all) return std::nullopt;
  return all->id;
}

Result<FileInfo> Dir::info() const {
  struct stat info{};
  if (sys().fstat(fd_of(handle_), &info) != 0) return fail(last_os_error("look at", path_));
  return to_file_info(info);
}

Result<Exposure> Dir::exposure() const {
  struct stat info{};
  if (sys().fstat(fd_of(handle_), &info) != 0) return fail(last_os_error("look at", path_));
  return to_exposure(info, sys().geteuid());
}

Result<> Dir::each_entry(
    const std::function<Visit(std::string_view name, FileType type)>& visit) const {
  // A descriptor of its own: the read position must not be shared between two walks.
  const int fd = retry_eintr([&] { return sys().openat(fd_of(handle_), ".", kDirOpenDir, 0); });
  if (fd < 0) return fail(last_os_error("list", path_));
  const Handle handle(fd);
  alignas(dirent64) std::array<char, 32768> buffer;
  for (;;) {
    const ssize_t got = sys().getdents64(fd, buffer.data(), buffer.size());
    if (got < 0) return fail(last_os_error("list", path_));
    if (got == 0) return {};
    for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
      const auto* entry = reinterpret_cast<const dirent64*>(buffer.data() + at);
      at += entry->d_reclen;
      const std::string_view name(&entry->d_name[0]);
      if (name == "." || name == "..") continue;
      if (visit(name, dir_type_of(entry->d_type)) == Visit::kStop) return {};
    }
  }
}

Result<> Dir::sync() const {
  if (retry_eintr([&] { return sys().fsync(fd_of(handle_)); }) != 0) {
    return fail(last_os_error("sync the directory", path_));
  }
  return {};
}

}  // namespace holdfast::os
