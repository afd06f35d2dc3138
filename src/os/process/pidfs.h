// SPDX-License-Identifier: Apache-2.0
//
// The number that the kernel gives to a process besides its pid and never again until it reboots:
// the inode of its pidfd, from Linux 6.9 on. It is the same in every namespace.
//
// Limit: before 6.9 all pidfds share one meaningless inode, and the answer is 0: not known.
// Windows: always 0.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "os/sys/handle.h"

namespace holdfast::os {

Result<std::uint64_t> pidfs_inode(const Handle& pidfd);

}  // namespace holdfast::os
