// SPDX-License-Identifier: Apache-2.0
//
// One table: a Win32 error, the errno name that says the same, and what the caller should do.
//
// What is not in it is `win32-NUMBER` and kOsRefused. In particular an unreachable server
// (ERROR_BAD_NETPATH) and a drive without a medium are not "does not exist": they cannot tell.
#include "os/sys/os_error.h"

#include <algorithm>
#include <array>

#include "os/path/wide_win.h"
#include "os/sys/sys_win.h"

namespace holdfast::os {
namespace {

struct Meaning {
  DWORD win32;
  std::string_view cause;
  ErrorCode code;
};

constexpr std::array kMeanings{
    Meaning{ERROR_FILE_NOT_FOUND, "enoent", ErrorCode::kNotFound},
    Meaning{ERROR_PATH_NOT_FOUND, "enoent", ErrorCode::kNotFound},
    Meaning{ERROR_INVALID_DRIVE, "enoent", ErrorCode::kNotFound},
    Meaning{kErrorStoppedOnLink, "eloop", ErrorCode::kRefused},
    Meaning{ERROR_CANT_RESOLVE_FILENAME, "eloop", ErrorCode::kRefused},

    Meaning{ERROR_DISK_FULL, "enospc", ErrorCode::kIo},
    Meaning{ERROR_HANDLE_DISK_FULL, "enospc", ErrorCode::kIo},
    Meaning{kErrorQuota, "edquot", ErrorCode::kIo},
    Meaning{ERROR_FILE_TOO_LARGE, "efbig", ErrorCode::kIo},
    Meaning{ERROR_CRC, "eio", ErrorCode::kIo},
    Meaning{ERROR_SEEK, "eio", ErrorCode::kIo},
    Meaning{ERROR_SECTOR_NOT_FOUND, "eio", ErrorCode::kIo},
    Meaning{ERROR_WRITE_FAULT, "eio", ErrorCode::kIo},
    Meaning{ERROR_READ_FAULT, "eio", ErrorCode::kIo},
    Meaning{ERROR_GEN_FAILURE, "eio", ErrorCode::kIo},
    Meaning{ERROR_IO_DEVICE, "eio", ErrorCode::kIo},
    Meaning{ERROR_FILE_CORRUPT, "eio", ErrorCode::kIo},
    Meaning{ERROR_DISK_CORRUPT, "eio", ErrorCode::kIo},
    Meaning{ERROR_NOT_READY, "enxio", ErrorCode::kIo},
    Meaning{ERROR_DEVICE_NOT_CONNECTED, "enxio", ErrorCode::kIo},
    Meaning{ERROR_FILE_INVALID, "estale", ErrorCode::kIo},
    Meaning{ERROR_NETNAME_DELETED, "estale", ErrorCode::kIo},
    Meaning{ERROR_BROKEN_PIPE, "epipe", ErrorCode::kIo},
    Meaning{ERROR_NO_DATA, "epipe", ErrorCode::kIo},
    Meaning{ERROR_PIPE_NOT_CONNECTED, "epipe", ErrorCode::kIo},

    Meaning{ERROR_SHARING_VIOLATION, "ebusy", ErrorCode::kBusy},
    Meaning{ERROR_LOCK_VIOLATION, "ebusy", ErrorCode::kBusy},
    Meaning{ERROR_BUSY, "ebusy", ErrorCode::kBusy},
    Meaning{ERROR_DELETE_PENDING, "ebusy", ErrorCode::kBusy},
    Meaning{ERROR_USER_MAPPED_FILE, "etxtbsy", ErrorCode::kBusy},
    Meaning{ERROR_SEM_TIMEOUT, "etimedout", ErrorCode::kBusy},
    Meaning{WAIT_TIMEOUT, "etimedout", ErrorCode::kBusy},

    Meaning{ERROR_ACCESS_DENIED, "eacces", ErrorCode::kOsRefused},
    Meaning{ERROR_PRIVILEGE_NOT_HELD, "eperm", ErrorCode::kOsRefused},
    Meaning{ERROR_WRITE_PROTECT, "erofs", ErrorCode::kOsRefused},
    Meaning{ERROR_TOO_MANY_OPEN_FILES, "emfile", ErrorCode::kOsRefused},
    Meaning{ERROR_NOT_ENOUGH_MEMORY, "enomem", ErrorCode::kOsRefused},
    Meaning{ERROR_OUTOFMEMORY, "enomem", ErrorCode::kOsRefused},
    Meaning{ERROR_NO_SYSTEM_RESOURCES, "enomem", ErrorCode::kOsRefused},
    Meaning{ERROR_COMMITMENT_LIMIT, "enomem", ErrorCode::kOsRefused},
    Meaning{ERROR_FILE_EXISTS, "eexist", ErrorCode::kOsRefused},
    Meaning{ERROR_ALREADY_EXISTS, "eexist", ErrorCode::kOsRefused},
    Meaning{ERROR_DIR_NOT_EMPTY, "enotempty", ErrorCode::kOsRefused},
    Meaning{ERROR_DIRECTORY, "enotdir", ErrorCode::kOsRefused},
    Meaning{kErrorIsDirectory, "eisdir", ErrorCode::kOsRefused},
    Meaning{ERROR_FILENAME_EXCED_RANGE, "enametoolong", ErrorCode::kOsRefused},
    Meaning{ERROR_BUFFER_OVERFLOW, "enametoolong", ErrorCode::kOsRefused},
    Meaning{ERROR_NOT_SAME_DEVICE, "exdev", ErrorCode::kOsRefused},
    Meaning{ERROR_TOO_MANY_LINKS, "emlink", ErrorCode::kOsRefused},
    Meaning{ERROR_INVALID_HANDLE, "ebadf", ErrorCode::kOsRefused},
    Meaning{ERROR_INVALID_PARAMETER, "einval", ErrorCode::kOsRefused},
    Meaning{ERROR_INVALID_NAME, "einval", ErrorCode::kOsRefused},
    Meaning{ERROR_NO_UNICODE_TRANSLATION, "eilseq", ErrorCode::kOsRefused},
    Meaning{ERROR_NOT_SUPPORTED, "eopnotsupp", ErrorCode::kOsRefused},
    Meaning{ERROR_CALL_NOT_IMPLEMENTED, "enosys", ErrorCode::kOsRefused},
};

std::string sentence_of(DWORD code) {
  constexpr DWORD kHow = FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS |
                         FORMAT_MESSAGE_MAX_WIDTH_MASK;  // one line, whatever the table holds
  std::array<wchar_t, 512> buffer;
  const DWORD length = sys().FormatMessageW(kHow, nullptr, code, 0, buffer.data(),
                                            static_cast<DWORD>(buffer.size()), nullptr);
  std::string text = from_wide(std::wstring_view(buffer.data(), length));
  while (!text.empty() &&
         (text.back() == ' ' || text.back() == '.' || text.back() == '\r' || text.back() == '\n')) {
    text.pop_back();
  }
  return text.empty() ? "error number " + std::to_string(code) : text;
}

}  // namespace

int last_os_code() { return static_cast<int>(last_error()); }

Error os_error(std::string_view op, std::string_view subject, int os_code, std::string_view state) {
  const auto win32 = static_cast<DWORD>(os_code);
  const auto* meaning = std::ranges::find(kMeanings, win32, &Meaning::win32);
  const bool known = meaning != kMeanings.end();
  std::string detail = sentence_of(win32);
  if (!state.empty()) detail += "; " + std::string(state);
  return {.code = known ? meaning->code : ErrorCode::kOsRefused,
          .op = std::string(op),
          .subject = std::string(subject),
          .cause = known ? std::string(meaning->cause) : "win32-" + std::to_string(win32),
          .detail = std::move(detail),
          .os_code = os_code};
}

Error last_os_error(std::string_view op, std::string_view subject, std::string_view state) {
  return os_error(op, subject, last_os_code(), state);
}

}  // namespace holdfast::os
