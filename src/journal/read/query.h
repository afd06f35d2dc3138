// SPDX-License-Identifier: Apache-2.0
//
// query: the records that pass a filter, with their data fetched from blobs where it was too large.
//
// It is scan (journal/read/scan.h) with a filter: the same order, damage and errors. A blob that is
// missing or changed is damage of kind `blob`: the record is then visited with the reference as its
// data unless the filter had to look into it; then it does not match.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "journal/read/filter.h"
#include "journal/read/scan.h"
#include "journal/read/snapshot.h"

namespace holdfast::journal {

struct QueryRequest {
  Filter filter{};
  std::uint64_t from_seq = 0;
  std::optional<Position> resume{};
  bool reverse = false;
  std::optional<std::uint64_t> limit{};  // stops behind so many matches
};

// Views die with the call.
struct QueriedRecord {
  const ScannedRecord& at;
  std::string_view data;  // JSON; from the blob where there is one
};
using QueryVisitor = std::function<Result<os::Visit>(const QueriedRecord& record)>;

// ScanResult::visited counts the records that passed the filter.
Result<ScanResult> query(const Snapshot& snapshot, const QueryRequest& request,
                         const QueryVisitor& visit, const DamageVisitor& on_damage = {});

}  // namespace holdfast::journal
