// SPDX-License-Identifier: Apache-2.0
#include "journal/read/query.h"

#include <algorithm>
#include <tuple>

#include "journal/read/damage.h"
#include "journal/read/matcher.h"

namespace holdfast::journal {

Result<ScanResult> query(const Snapshot& snapshot, const QueryRequest& request,
                         const QueryVisitor& visit, const DamageVisitor& on_damage) {
  RecordFieldReader values(snapshot.dir());
  Matcher matcher(request.filter, values);
  std::vector<Damage> in_data;
  std::uint64_t matched = 0;
  const auto report = [&](const Error& error, const ScannedRecord& at) -> Result<> {
    const Damage damage =
        HF_TRY(data_damage(snapshot.dir(), error, at.segment, at.offset, at.line.size() + 1));
    if (in_data.size() < kMaxDamages) in_data.push_back(damage);
    if (on_damage) on_damage(damage);
    return {};
  };
  const auto offer = [&](const ScannedRecord& at) -> Result<os::Visit> {
    if (request.limit && matched >= *request.limit) return os::Visit::kStop;
    const Result<bool> matches = matcher.matches(at.record.fields);
    if (!matches) HF_TRY(report(matches.error(), at));
    if (!matches || !*matches) return os::Visit::kContinue;
    Result<std::string_view> data = values.data(at.record.fields);
    if (!data) HF_TRY(report(data.error(), at));
    ++matched;
    const os::Visit next = HF_TRY(visit({.at = at, .data = data ? *data : at.record.fields.data}));
    return request.limit && matched >= *request.limit ? os::Visit::kStop : next;
  };
  ScanResult result = HF_TRY(scan(snapshot,
                                  {.from_seq = request.from_seq,
                                   .resume = request.resume,
                                   .since_us = request.filter.since_us,
                                   .until_us = request.filter.until_us,
                                   .reverse = request.reverse},
                                  offer, on_damage));
  result.visited = matched;
  result.damaged.insert(result.damaged.end(), in_data.begin(), in_data.end());
  sort_by_place(result.damaged);
  return result;
}

}  // namespace holdfast::journal
