// SPDX-License-Identifier: Apache-2.0
//
// SeriesIntent: the intent of an iteration (loop/intent/intent.h), in the record of its series.
//
// The driver is who holds the lock `series:NAME`; it writes the intent, and counts the outcome.
//
// A clean-up may take the directory of a session whose last run is over, and the record with it,
// while the supervisor waits for the name. Whoever drives the series wants it all the same: as long
// as its lock is held by the same token, admit() writes a record that is gone again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/result.h"
#include "format/session/series_record.h"
#include "lock/grant/backend.h"
#include "loop/intent/intent.h"

namespace holdfast::loop {

class SeriesIntent final : public IntentStore {
 public:
  // `held` is the lock of the series; `intended` its record with the intent, as it is on the disk.
  SeriesIntent(const LoopServices& services, lock::Lock& held, const SeriesRecord& intended)
      : services_(services), held_(held), intended_(intended) {}

  Result<> leave_driver() override;
  [[nodiscard]] Error driver_lost() const override;
  // kRefused `intent-gone`.
  Result<> admit(const Id128& run) override;
  void withdraw(const Id128& run) override;
  Result<bool> has_begun(const Id128& run) override;

 private:
  [[nodiscard]] Error not_wanted(std::string_view cause, std::string_view why) const;

  const LoopServices& services_;
  lock::Lock& held_;
  const SeriesRecord& intended_;
};

// What became of an intended iteration.
struct IterationFate {
  enum class Kind : std::uint8_t {
    kEnded,     // `end`, with its true state; kLost where nobody saw how
    kNever,     // proven: nothing of it ran, and nothing will
    kUnderWay,  // `why`: kBusy
    kUnclear,   // `why`: kCannotTell, or kBusy: somebody else has the session's name
  };
  Kind kind = Kind::kUnclear;
  SeriesEnd end{};
  std::optional<Error> why{};
};

// Of the intent in `record`. Errors: of session/record/view.h: a session that cannot be read is
// never "never".
Result<IterationFate> fate_of_iteration(const LoopServices& services, lock::Lock& held,
                                        const SeriesRecord& record);

}  // namespace holdfast::loop
