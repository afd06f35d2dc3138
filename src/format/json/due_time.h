// SPDX-License-Identifier: Apache-2.0
//
// TimeMark and DueTime: how long ago something was, and when a wait is over, for records that
// outlive the process and the boot that wrote them. Pure.
//
// A mark has both clocks, because each of them is wrong at times:
//
//   the same boot         the boot clock decides. Setting the wall clock forward or back makes
//                         nothing due and puts nothing off.
//   another boot          the boot clock of then says nothing. The wall clock decides, but at least
//                         the time since this boot began has passed: so a wall clock that was set
//                         back puts a wait off by no more than its length after the boot.
//   another time          the boot clocks of two time namespaces are not comparable: the wall clock
//   namespace             decides, and where it went backwards nothing has passed.
//
// Limit: after another boot a wall clock that is wrong by more than a wait ends it early; there is
// nothing else to ask then.
#pragma once

#include <optional>

#include "base/clock.h"
#include "format/json/json.h"
#include "format/json/record_reader.h"
#include "format/session/workspace_record.h"

namespace holdfast {

// A moment on both clocks.
struct TimeMark {
  BootMoment moment{};
  WallTime wall{};

  bool operator==(const TimeMark&) const = default;
};

// How long `mark` was ago; never less than 0.
Duration passed_since(const TimeMark& mark, const TimeMark& now);
// `mark`, moved on by `by` (0 or more) on both clocks.
TimeMark later(const TimeMark& mark, Duration by);

struct DueTime {
  TimeMark from{};
  Duration wait{};

  bool operator==(const DueTime&) const = default;
};

// 0: it is due.
Duration left_of(const DueTime& due, const TimeMark& now);
// When it will be due, as a person's clock shows it; `now.wall` where it is.
WallTime wall_of(const DueTime& due, const TimeMark& now);

// In a persisted JSON record, for the codecs of src/format only:
//
//   BootMoment  {"boot":"…","boot_ns":…,"timens":…}, the last where the kernel has time namespaces
//   TimeMark    the same with "wall":"2026-…Z"
//   DueTime     a mark with "wait_ms"

Json moment_json(const BootMoment& moment);
// The moment at `key`; one that is missing or not as it should be is a fault of `record`.
BootMoment need_moment(RecordReader& record, const char* key);

Json mark_json(const TimeMark& mark);
Json due_json(const DueTime& due);
// The one at `key`; one that is missing or not as it should be is a fault of `record`.
TimeMark need_mark(RecordReader& record, const char* key);
// nullopt where the key is missing.
std::optional<DueTime> find_due(RecordReader& record, const char* key);

}  // namespace holdfast
