// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/handed_over.h"

#include <limits>
#include <string>

#include "os/path/wide_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {

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
