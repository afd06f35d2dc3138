// SPDX-License-Identifier: Apache-2.0
//
// What the reading commands share: the journal of the home that the user means, and a read that
// goes on where retention removes a segment under it; once, or as a Follower.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
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

struct ReadOutcome {
  std::uint64_t records = 0;
  std::vector<journal::Damage> damaged{};
  std::uint64_t unfinished_bytes = 0;
};

// Every matching record once. On an Error, damage that was met before it has been told.
Result<ReadOutcome> read_records(Context& context, const os::Dir& dir,
                                 journal::QueryRequest request, const journal::QueryVisitor& visit);

// Follower: looks at a journal again and again, and shows each matching record once.
//
// It keeps the place where the last look ended, so a look costs what was written since. Where
// retention removes that place it goes on with the oldest record that is left, and repeats none.
class Follower {
 public:
  // kNow: what the first look finds is old. A journal that is not there at the first look is all
  // new.
  enum class From : std::uint8_t { kStart, kNow };

  // `filter.since_us` holds for the first look only: later records are new, whatever the clock
  // says.
  Follower(journal::Filter filter, From from, std::optional<std::uint64_t> limit);

  // `dir` is nothing while there is no journal yet.
  Result<> look(const std::optional<os::Dir>& dir, const journal::QueryVisitor& show);

  [[nodiscard]] std::uint64_t seen() const { return seen_; }  // records that were shown
  // What is damaged and was not taken before.
  std::vector<journal::Damage> take_damage();

 private:
  Result<journal::ScanResult> read(const journal::Snapshot& snapshot, bool skip,
                                   const journal::QueryVisitor& show);

  journal::Filter filter_;
  From from_;
  std::optional<std::uint64_t> limit_;
  std::optional<journal::Position> position_;
  bool looked_ = false;
  std::uint64_t seen_ = 0;
  // Segment and offset of the record shown last.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> last_;
  std::vector<journal::Damage> damaged_;
  std::set<std::tuple<std::uint64_t, std::uint64_t, std::string>> told_;
};

}  // namespace holdfast::cli
