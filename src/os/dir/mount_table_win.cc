// SPDX-License-Identifier: Apache-2.0
#include "os/dir/mount_table.h"

namespace holdfast::os {

Result<MountTable> MountTable::read() { return MountTable(); }

Result<MountPlace> MountTable::place_of(const Dir&) const { return MountPlace{}; }

}  // namespace holdfast::os
