// SPDX-License-Identifier: Apache-2.0
#include "os/path/path.h"

#include <array>
#include <climits>

#include "os/process/pid.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr const char* kReopenOp = "open once more";

std::unexpected<Error> no_proc(const File& file) {
  return fail({.code = ErrorCode::kOsRefused,
               .op = kReopenOp,
               .subject = file.path(),
               .cause = "no-proc",
               .detail = "an open file is opened again through /proc, which is not mounted here"});
}

// That it was removed is no answer to what the program was asked (kNotFound would be a no).
std::unexpected<Error> no_working_dir(Error error) {
  if (error.code == ErrorCode::kNotFound) error.code = ErrorCode::kOsRefused;
  return fail(std::move(error));
}

}  // namespace

Result<std::string> working_dir() {
  std::array<char, PATH_MAX> buffer;
  const char* path = sys().getcwd(buffer.data(), buffer.size());
  if (path == nullptr) return no_working_dir(last_os_error("find", "the working directory"));
  // The kernel marks a directory outside this root so; it is no path.
  if (*path != '/') return no_working_dir(os_error("find", "the working directory", ENOENT));
  return path;
}

Result<std::string> absolute_from_here(const std::string& path) {
  if (path.starts_with('/')) return path;
  return HF_TRY(working_dir()) + "/" + path;
}

Result<std::string> real_path_of(const Dir& dir) {
  const std::string link = "/proc/self/fd/" + std::to_string(dir.native());
  std::array<char, PATH_MAX> buffer;
  const ssize_t length = sys().readlinkat(AT_FDCWD, link.c_str(), buffer.data(), buffer.size());
  if (length < 0) return fail(last_os_error("find the real path of", dir.path()));
  std::string path(buffer.data(), static_cast<std::size_t>(length));
  if (path.size() == buffer.size() || !path.starts_with('/') || path.ends_with(" (deleted)")) {
    return fail({.code = ErrorCode::kCannotTell,
                 .op = "find the real path of",
                 .subject = dir.path(),
                 .cause = "no-real-path",
                 .detail = "it was removed, or cannot be named from here"});
  }
  return path;
}

Result<SafeName> canonical_name(const Dir& /*dir*/, SafeName name) { return name; }

Result<File> reopen_for_reading(const File& file) {
  const std::string link = "/proc/self/fd/" + std::to_string(file.native());
  Handle handle(
      retry_eintr([&] { return sys().openat(AT_FDCWD, link.c_str(), O_RDONLY | O_CLOEXEC, 0); }));
  if (!handle.valid()) {
    // The kernel's own link leads to the file whatever became of its name.
    if (errno == ENOENT || errno == ENOTDIR) return no_proc(file);
    return fail(last_os_error(kReopenOp, file.path()));
  }
  File again(std::move(handle), file.path());
  const FileInfo expected = HF_TRY(file.info());
  const FileInfo found = HF_TRY(again.info());
  if (found.id != expected.id) return no_proc(file);  // a directory that only looks like /proc
  return again;
}

std::string open_path_of(const File& file) {
  return "/proc/" + std::to_string(number(own_pid())) + "/fd/" + std::to_string(file.native());
}

}  // namespace holdfast::os
