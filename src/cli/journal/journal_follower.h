// SPDX-License-Identifier: Apache-2.0
//
// Follower: looks at a journal again and again, and shows each matching record once.
//
// It keeps the place where the last look ended, so a look costs what was written since. Where
// retention removes that place it goes on with the oldest record that is left, and repeats none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/result.h"
#include "journal/read/query.h"
#include "os/dir/dir.h"

namespace holdfast::cli {

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
