// SPDX-License-Identifier: Apache-2.0
//
// repair: makes a damaged journal one that can be written to and verified again, without removing a
// byte.
//
// 1. The end: what the next append would do (a torn end is kept as a blob and cut off); where the
// end
//    cannot be continued, a new segment is opened behind it.
// 2. The rest: everything that verify finds and nothing explains yet is put on record, as a
//    journal.repaired of kind `damaged`. It stays where it is, is still reported, and counts as
//    explained.
//
// It is a person's decision: from then on nobody is alarmed by that damage. What no record can
// stand for (a blob that is gone, an anchor that fails) is left, in `left`.
//
// Errors: as Journal::record and verify.
#pragma once

#include <vector>

#include "base/result.h"
#include "journal/read/damage.h"
#include "journal/read/verify.h"
#include "journal/write/journal.h"
#include "os/dir/dir.h"

namespace holdfast::journal {

struct RepairReport {
  std::uint64_t mended_bytes = 0;      // of an unfinished record at the end
  std::vector<Damage> acknowledged{};  // put on record by this call; or what would be
  std::vector<Damage> left{};          // still unexplained

  [[nodiscard]] bool nothing_to_do() const {
    return mended_bytes == 0 && acknowledged.empty() && left.empty();
  }
};

// What repair would do; changes nothing. `left` is what it could not.
Result<RepairReport> plan_repair(const os::Dir& dir);
// `journal` is the one in `dir`. Nothing is written where there is nothing to do.
Result<RepairReport> repair(const os::Dir& dir, Journal& journal);

}  // namespace holdfast::journal
