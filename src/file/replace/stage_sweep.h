// SPDX-License-Identifier: Apache-2.0
//
// Clearing away what a crash in the middle of a commit left: files called `.hf-stage-<id>`.
//
// A stage is removed only if it has exactly such a name, is an ordinary file of the caller's own
// with no other name (or an empty directory of his own, which `ensure` left), was last changed in
// any way more than kStageAge ago, is not locked by a writer that still fills it, and no commit is
// going on in the directory (whose lock is held meanwhile; not for looking). Anything else is left.
// The time of the change counts, not that of the content: a displaced file is as old as its
// content.
//
// Errors: kBusy `directory-busy`; those of listing. What cannot be removed is counted as left.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "base/result.h"
#include "os/dir/dir.h"

namespace holdfast::file {

inline constexpr Duration kStageAge = std::chrono::hours(1);

struct StageCount {
  std::uint64_t old = 0;      // left over, and safe to remove
  std::uint64_t removed = 0;  // of them
};

// Looks only.
Result<StageCount> count_stages(const os::Dir& dir, WallTime now);
Result<StageCount> sweep_stages(const os::Dir& dir, WallTime now, Duration wait);

}  // namespace holdfast::file
