// SPDX-License-Identifier: Apache-2.0
//
// Matcher: a Filter at work on one record after the other, cheapest tests first; RecordFieldReader:
// the value at a path of a record, its data taken from the blob where it was too large.
//
// An error that data_damage() recognises is about the record at hand, not about the reading: the
// caller reports it as Damage there, and the record does not match.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "format/journal/journal_record.h"
#include "journal/read/damage.h"
#include "journal/read/filter.h"
#include "os/dir/dir.h"

namespace holdfast::journal {

class RecordFieldReader {
 public:
  explicit RecordFieldReader(const os::Dir& journal) : journal_(&journal) {}

  Result<std::optional<std::string>> value(const RecordFields& record, const FieldPath& path);
  // The data itself; the view lives until the next call.
  Result<std::string_view> data(const RecordFields& record);

 private:
  const os::Dir* journal_;
  std::string blob_;  // of the record with this number
  std::uint64_t blob_seq_ = 0;
};

class Matcher {
 public:
  // Both must outlive it.
  Matcher(const Filter& filter, RecordFieldReader& values) : filter_(filter), values_(values) {}

  Result<bool> matches(const RecordFields& record) {
    if (!time_passes(filter_, record.wall_us)) return false;
    if (!filter_.types.empty() && !passes_type(record.type)) return false;
    if (filter_.event_class && record.event_class != *filter_.event_class) return false;
    if (filter_.writer && record.writer != *filter_.writer) return false;
    if (filter_.where.empty()) return true;
    return passes_where(record);
  }

 private:
  // Neighbours are often of one type; globs are tried once for it.
  bool passes_type(std::string_view type) {
    if (type != last_type_) {
      last_type_ = type;
      last_passes_ = type_passes(filter_, type);
    }
    return last_passes_;
  }
  Result<bool> passes_where(const RecordFields& record);

  const Filter& filter_;
  RecordFieldReader& values_;
  std::string last_type_;
  bool last_passes_ = filter_.types.empty();
};

// The damage of which an error of these tells. Fails with that error where it is about something
// else, and with kBusy `segment-removed` where retention removed the segment and then the blob.
Result<Damage> data_damage(const os::Dir& journal, const Error& error, std::uint64_t segment,
                           std::uint64_t offset, std::uint64_t bytes);

}  // namespace holdfast::journal
