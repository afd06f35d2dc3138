// SPDX-License-Identifier: Apache-2.0
//
// Which machine this is, and which boot of it. Both ids are zeros where nothing tells them, and
// zeros are equal to nothing: they never prove "the same".
#pragma once

#include <string>

#include "base/id128.h"
#include "base/result.h"

namespace holdfast::os {

// The id of this installation, /etc/machine-id: the same before and after a reboot.
//
// Zeros where there is none: the file is missing, closed to us, empty (an image not yet booted), or
// holds something else. In a container it is whatever the image or its manager put there, and
// clones of a virtual machine may share one.
//
// Errors: see os_error.h, for what may pass (`emfile`, `eio`).
// Windows: MachineGuid in the registry; zeros where it is missing or closed to us.
Result<Id128> machine_id();

// The id of this boot: times since boot compare only within one. Linux:
// /proc/sys/kernel/random/boot_id. Windows: made from the machine's id and the moment of the boot.
//
// Errors: see os_error.h; plus kOsRefused, cause `no-proc`, where /proc is not mounted, and
// kCannotTell, cause `boot-id`, where it does not hold an id.
Result<Id128> boot_id();

// The name of this machine, for people; empty where the system tells none.
std::string host_name();

}  // namespace holdfast::os
