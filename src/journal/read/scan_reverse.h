// SPDX-License-Identifier: Apache-2.0
//
// scan, from the newest record back. Reports the same damage as forwards when it reaches the front;
// stopped before, that of the part it read (explanations come later in a journal, so it has met
// them).
#pragma once

#include "journal/read/scan.h"

namespace holdfast::journal {

Result<ScanResult> scan_reverse(const Snapshot& snapshot, const ScanRequest& request,
                                const RecordVisitor& visit, const DamageVisitor& on_damage);

}  // namespace holdfast::journal
