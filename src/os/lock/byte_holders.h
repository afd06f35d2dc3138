// SPDX-License-Identifier: Apache-2.0
//
// Which processes have a descriptor through which a byte is locked: the kernel knows no owner of an
// open file description's lock, but lists the locks of each descriptor (/proc/PID/fdinfo). For
// messages and for people: "who is in there", "which daemon has inherited it". A flock is listed
// there, too, and counts as every byte of its file.
//
// Limits: processes of other users and of other pid namespaces are not seen; a look at one moment;
// costs a look at every descriptor of every process. An empty answer proves nothing.
// Windows: always empty.
#pragma once

#include <cstdint>
#include <vector>

#include "os/file/file_info.h"
#include "os/process/pid.h"

namespace holdfast::os {

std::vector<Pid> byte_holders(const FileId& file, std::uint64_t offset);

}  // namespace holdfast::os
