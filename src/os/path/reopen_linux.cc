// SPDX-License-Identifier: Apache-2.0
#include "os/path/reopen.h"

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

}  // namespace

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
