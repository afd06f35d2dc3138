// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/inherited.h"

#include <limits>
#include <string>

#include "os/path/wide_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

std::unexpected<Error> inherited_refuse(std::uint64_t number, const char* why) {
  return fail({.code = ErrorCode::kUsage,
               .op = "use descriptor",
               .subject = std::to_string(number),
               .cause = "bad-descriptor",
               .detail = why});
}

bool is_standard(HANDLE handle) {
  return handle == sys().GetStdHandle(kStdInput) || handle == sys().GetStdHandle(kStdOutput) ||
         handle == sys().GetStdHandle(kStdError);
}

}  // namespace

// Windows has no descriptors that a program could be told by a small number: the number is the
// value of an inheritable HANDLE, as the caller who passed it on knows it.
Result<Handle> adopt_for_writing(std::uint64_t number) {
  if (number <= 2)
    return inherited_refuse(number, "on Windows it is the value of an inherited handle");
  if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) {
    return inherited_refuse(number, "it is not open");
  }
  const HANDLE handle = reinterpret_cast<HANDLE>(static_cast<std::intptr_t>(number));
  DWORD flags = 0;
  if (sys().GetHandleInformation(handle, &flags) == FALSE)
    return inherited_refuse(number, "it is not open");
  if (is_standard(handle)) return inherited_refuse(number, "it belongs to the command");
  const DWORD type = sys().GetFileType(handle);
  if (type == FILE_TYPE_UNKNOWN) return inherited_refuse(number, "it is not a file or a pipe");
  // Nothing is written, but the right to is asked for.
  DWORD wrote = 0;
  if (sys().WriteFile(handle, "", 0, &wrote, nullptr) == FALSE) {
    return inherited_refuse(number, "it is not open for writing");
  }
  if (sys().SetHandleInformation(handle, HANDLE_FLAG_INHERIT, 0) == FALSE) {
    return inherited_refuse(number, "it cannot be taken over");
  }
  return own(handle);
}

Result<Handle> copy_handle(NativeHandle handle) {
  const HANDLE self = sys().GetCurrentProcess();
  HANDLE copy = nullptr;
  if (sys().DuplicateHandle(self, reinterpret_cast<HANDLE>(handle), self, &copy, 0, FALSE,
                            DUPLICATE_SAME_ACCESS) == FALSE) {
    return fail(last_os_error("copy", "a handle"));
  }
  return own(copy);
}

Result<Handle> adopt_handed_over(std::uint64_t value) {
  const HANDLE handle = reinterpret_cast<HANDLE>(static_cast<std::intptr_t>(value));
  DWORD flags = 0;
  const bool is_pipe = value > 2 && value <= std::numeric_limits<std::int32_t>::max() &&
                       sys().GetHandleInformation(handle, &flags) != FALSE &&
                       sys().GetFileType(handle) == FILE_TYPE_PIPE;
  if (!is_pipe || sys().SetHandleInformation(handle, HANDLE_FLAG_INHERIT, 0) == FALSE) {
    return fail({.code = ErrorCode::kRefused,
                 .op = "take over",
                 .subject = "handle " + std::to_string(value),
                 .cause = "bad-descriptor",
                 .detail = "it is no open pipe"});
  }
  return own(handle);
}

Result<> take_env_away(const char* name) {
  const std::wstring wide = HF_TRY(to_wide(name));
  if (sys().SetEnvironmentVariableW(wide.c_str(), nullptr) == FALSE) {
    return fail(last_os_error("take away", name));
  }
  return {};
}

Result<Handle> open_nothing() {
  Handle nothing = own(sys().CreateFileW(L"NUL", kReadRights | kWriteRights, kDenyDelete, nullptr,
                                         OPEN_EXISTING, 0, nullptr));
  if (!nothing.valid()) return fail(last_os_error("open", "NUL"));
  return nothing;
}

}  // namespace holdfast::os
