// SPDX-License-Identifier: Apache-2.0
//
// The first record of a segment: which journal it belongs to, and what it continues.
//
// kCorrupt (`bad-header`) where the segment does not begin with a whole `journal.opened` record of
// its own number; kCannotTell (`newer-version`) where a later holdfast wrote it.
#pragma once

#include "base/result.h"
#include "format/journal/journal_payload.h"
#include "journal/store/layout.h"
#include "os/dir/dir.h"

namespace holdfast::journal {

Result<SegmentOpened> read_header(const os::Dir& dir, const SegmentRef& ref);

}  // namespace holdfast::journal
