// SPDX-License-Identifier: Apache-2.0
//
// The journal of a home.
//
//   auto journal = HF_TRY(open_journal(home, clock));             // to write
//   auto dir = HF_TRY(find_journal(location));                    // to read; changes nothing
//   if (!dir) …                                                   // nothing has ever happened here
//
// A home, or a journal in it, that is not there yet has no events, and that is an answer. Anything
// else that keeps one from reading it (rights, a link, a parent that a typed home lacks, a newer
// format) is an Error: what cannot be read is never empty.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/result.h"
#include "journal/write/journal.h"
#include "os/dir/dir.h"
#include "runtime/home.h"
#include "runtime/home_location.h"

namespace holdfast {

// The clock must outlive the journal. kBuffer: journal/write/journal.h says for how long.
enum class Traces : std::uint8_t { kWrite, kBuffer };
Result<std::unique_ptr<journal::Journal>> open_journal(const Home& home, const Clock& clock,
                                                       Traces traces = Traces::kWrite);

// Looks for the home anew at each call. Within a command, runtime/runtime.h knows it already.
Result<std::optional<os::Dir>> find_journal(const HomeLocation& location);

}  // namespace holdfast
