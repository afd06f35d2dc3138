// SPDX-License-Identifier: Apache-2.0
#include "os/boot_id.h"

#include "os/sys_win.h"
#include "os/wide_win.h"

namespace holdfast::os {

Result<Id128> boot_id() { return Id128{}; }

std::string host_name() {
  std::wstring name(256, L'\0');
  auto size = static_cast<DWORD>(name.size());
  if (sys().GetComputerNameExW(ComputerNameDnsHostname, name.data(), &size) == FALSE) return {};
  name.resize(size);
  return from_wide(name);
}

}  // namespace holdfast::os
