// SPDX-License-Identifier: Apache-2.0
//
// A mark of this process that a fork changes: for asking "am I still who opened this?" on hot
// paths.
//
// It is a random number, kept in a page that the kernel empties in a child (MADV_WIPEONFORK), so a
// fork by any library is noticed. Two calls to getpid cost 6 % of a journal append. Where the
// kernel has no such page (before 4.14), it is the process's own number.
#pragma once

#include <cstdint>

namespace holdfast::os {

std::int64_t process_mark();

}  // namespace holdfast::os
