// SPDX-License-Identifier: Apache-2.0
//
// The id of this boot: times since boot compare only within one. Linux:
// /proc/sys/kernel/random/boot_id. Windows: made from the machine's id and the moment of the boot.
// All zeros where the system tells neither, which never proves "the same boot".
//
// Errors: see os_error.h; plus kOsRefused, cause `no-proc`, where /proc is not mounted, and
// kCannotTell, cause `boot-id`, where it does not hold an id.
#pragma once

#include <string>

#include "base/id128.h"
#include "base/result.h"

namespace holdfast::os {

Result<Id128> boot_id();

// The name of this machine, for people; empty where the system tells none.
std::string host_name();

}  // namespace holdfast::os
