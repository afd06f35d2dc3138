// SPDX-License-Identifier: Apache-2.0
#include "os/machine/machine_id.h"

#include <algorithm>
#include <array>

#include "os/machine/sha256.h"
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

// Windows keeps no id of a boot. What every boot has for itself is its moment, to 100 ns; setting
// the clock later does not change it (SysTable::QueryBootMoment). Hashed together with the id of
// the machine it is an id that no other boot of any machine has. A "fast start-up" goes on from a
// hibernated kernel: it is the same boot, and the time since it goes on as well.
//
// Under Wine it is the moment at which its server was started, which is when its processes begin.

Result<Id128> boot_id() {
  std::uint64_t moment = 0;
  if (sys().QueryBootMoment(&moment) == FALSE || moment == 0) return Id128{};
  auto machine = machine_id();
  if (!machine) return fail(std::move(machine).error());
  const Digest digest = sha256("boot " + to_hex(*machine) + " " + std::to_string(moment));
  Id128 id;
  std::copy_n(digest.bytes.begin(), id.bytes.size(), id.bytes.begin());
  return id;
}

std::string host_name() {
  std::wstring name(256, L'\0');
  auto size = static_cast<DWORD>(name.size());
  if (sys().GetComputerNameExW(ComputerNameDnsHostname, name.data(), &size) == FALSE) return {};
  name.resize(size);
  return from_wide(name);
}

}  // namespace holdfast::os
