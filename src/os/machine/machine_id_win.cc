// SPDX-License-Identifier: Apache-2.0
#include "os/machine/machine_id.h"

#include <algorithm>
#include <array>

#include "os/path/wide_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {

// HKLM\SOFTWARE\Microsoft\Cryptography, MachineGuid: made once, when Windows was installed.
Result<Id128> machine_id() {
  constexpr DWORD kHow = RRF_RT_REG_SZ | 0x00010000U;  // RRF_SUBKEY_WOW6464KEY
  const auto machine = reinterpret_cast<HKEY>(static_cast<std::intptr_t>(
      static_cast<std::int32_t>(0x80000002U)));  // HKEY_LOCAL_MACHINE, a C-style cast
  std::array<wchar_t, 64> text{};
  DWORD size = sizeof(text);
  const LSTATUS read = sys().RegGetValueW(machine, LR"(SOFTWARE\Microsoft\Cryptography)",
                                          L"MachineGuid", kHow, nullptr, text.data(), &size);
  // Missing, closed to us, or no such text: none. What may pass is an error.
  if (read == ERROR_NOT_ENOUGH_MEMORY || read == ERROR_NO_SYSTEM_RESOURCES) {
    return fail(win_error("read", "the id of this machine", static_cast<DWORD>(read)));
  }
  if (read != ERROR_SUCCESS) return Id128{};
  std::string digits = from_wide(text.data());
  std::erase(digits, '-');
  std::ranges::transform(digits, digits.begin(), [](char c) {
    return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return parse_id128(digits).value_or(Id128{});
}

}  // namespace holdfast::os
