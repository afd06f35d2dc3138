// SPDX-License-Identifier: Apache-2.0
//
// The id of this installation, /etc/machine-id: the same before and after a reboot.
//
// Zeros where there is none: the file is missing, closed to us, empty (an image not yet booted), or
// holds something else. Zeros never prove "the same machine". In a container it is whatever the
// image or its manager put there, and clones of a virtual machine may share one.
//
// Errors: see os_error.h, for what may pass (`emfile`, `eio`).
// Windows: MachineGuid in the registry; zeros where it is missing or closed to us.
#pragma once

#include "base/id128.h"
#include "base/result.h"

namespace holdfast::os {

Result<Id128> machine_id();

}  // namespace holdfast::os
