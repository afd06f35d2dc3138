// SPDX-License-Identifier: Apache-2.0
//
// What the reading commands share: the journal of the home that the user means, and a read that
// goes on where retention removes a segment under it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "cli/frame/context.h"
#include "journal/read/query.h"
#include "journal/read/snapshot.h"
#include "journal/write/journal.h"
#include "os/dir/dir.h"

namespace holdfast::cli {

// nullopt: nothing has ever happened in this home. Changes nothing.
Result<std::optional<os::Dir>> journal_to_read(const Context& context);
// Makes the home where it is missing.
Result<std::unique_ptr<journal::Journal>> journal_to_write(const Context& context);

using journal::with_snapshot;

// What of `damaged` concerns a question about `filter` (journal_damage.h).
Result<std::vector<journal::Damage>> damage_of_question(const os::Dir& dir,
                                                        const journal::Filter& filter,
                                                        std::span<const journal::Damage> damaged);

// For damage that was met while reading a part: an explanation may stand anywhere, so where one is
// missing the whole journal is read for it. Damage that nothing explains, or cannot be read about,
// stays as it is.
void explain_from_whole(const os::Dir& dir, std::vector<journal::Damage>& damaged);

struct ReadOutcome {
  std::uint64_t records = 0;
  std::vector<journal::Damage> damaged{};
  std::uint64_t unfinished_bytes = 0;
};

// Every matching record once. On an Error, damage that was met before it has been told.
Result<ReadOutcome> read_records(Context& context, const os::Dir& dir,
                                 journal::QueryRequest request, const journal::QueryVisitor& visit);

}  // namespace holdfast::cli
