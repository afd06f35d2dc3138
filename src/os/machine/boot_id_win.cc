// SPDX-License-Identifier: Apache-2.0
//
// Windows keeps no id of a boot. What every boot has for itself is its moment, to 100 ns; setting
// the clock later does not change it (SysTable::QueryBootMoment). Hashed together with the id of
// the machine it is an id that no other boot of any machine has. A "fast start-up" goes on from a
// hibernated kernel: it is the same boot, and the time since it goes on as well.
//
// Under Wine it is the moment at which its server was started, which is when its processes begin.
#include "os/machine/boot_id.h"

#include <algorithm>

#include "os/machine/machine_id.h"
#include "os/machine/sha256.h"
#include "os/path/wide_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {

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
