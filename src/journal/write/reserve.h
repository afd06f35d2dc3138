// SPDX-License-Identifier: Apache-2.0
//
// The reserve: `journal/reserve`, real blocks set aside while there is space, given up once when
// the disk is full, so that the journal can still say so and record the decisions that follow (rule
// J2).
//
// Size: the smaller of 1 MiB and a sixteenth of the free space; none at all is no error. Two marks
// keep it from swinging: given up at "no space left", taken again only when kRoomAgainBytes are
// free (of which it takes a sixteenth).
#pragma once

#include <cstdint>

#include "base/result.h"
#include "os/dir/dir.h"

namespace holdfast::journal {

inline constexpr std::uint64_t kReserveBytes = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kRoomAgainBytes = std::uint64_t{1} << 20;

// Sets the space aside where that was not done yet. What cannot be set aside is left out.
void ensure_reserve(const os::Dir& dir);
// True: there was a reserve, and its space is free now.
Result<bool> give_up_reserve(const os::Dir& dir);
// Is there room enough to call the full disk over? No, where that cannot be told.
bool has_room_again(const os::Dir& dir);

}  // namespace holdfast::journal
