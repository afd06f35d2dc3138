// SPDX-License-Identifier: Apache-2.0
//
// `sessions/<name>/series.json`: where a series keeps its record (format/session/series_record.h).
//
// It is written by who holds the lock `series:NAME`, and by the supervisor that this one has
// started (series_intent.h); never by both at once. The session's directory is looked up each time:
// a clean-up may have moved the old one away.
//
// Guarantees: a reader finds the old or the new record. What lies there and is not a plain file of
// the caller's own is kRefused and not read. A record that cannot be read is an Error (kCorrupt,
// kCannotTell, kIo), never "no series", and is never written over: a damaged one is moved aside
// first, and only where that was asked for.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "format/session/series_record.h"
#include "session/record/store.h"

namespace holdfast::loop {

// nullopt: there is none. kCorrupt `other-session` where it is not of `name`.
Result<std::optional<SeriesRecord>> read_series(const session::SessionStore& sessions,
                                                const std::string& name);
Result<std::optional<SeriesRecord>> read_series(const session::SessionDir& dir);
// Durably. kRefused `too-large`; kNotDurable where only the last sync failed.
Result<> write_series(const session::SessionStore& sessions, const SeriesRecord& record);

// Renames the record to `series.json.corrupt-TIME`, durably, and returns that path. None of them is
// ever removed here; kRefused `too-many-copies` where there are five.
Result<std::string> move_series_aside(const session::SessionStore& sessions,
                                      const std::string& name, WallTime now);

}  // namespace holdfast::loop
