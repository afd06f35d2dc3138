// SPDX-License-Identifier: Apache-2.0
//
// The stack grows when it is first used, and where memory may not grow any more by then (a limit on
// the address space) the kernel can only kill. So what the program needs is claimed at the start.
//
// It is claimed as addresses, by one touch at the far end: pages that nobody uses cost nothing. A
// machine or a cgroup without a free page may still kill, as it may for any other page.
#pragma once

namespace holdfast::cli {

void claim_stack_room();

}  // namespace holdfast::cli
