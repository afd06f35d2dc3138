// SPDX-License-Identifier: Apache-2.0
//
// follow_log: what a run prints, as it comes, to its end; of a session that `run --iterations`
// drives, one iteration after the other until the series has ended.
//
// Limits: iterations that are no longer kept when their turn comes are skipped. What is written at
// the budget's end stays written; the answer is kBusy, cause `budget`.
#pragma once

#include <cstdint>
#include <optional>

#include "base/reporter.h"
#include "base/result.h"
#include "os/sys/handle.h"
#include "runtime/runtime.h"
#include "session/record/log_files.h"
#include "session/record/store.h"
#include "session/record/view.h"

namespace holdfast::loop {

// Who shows what was printed.
class LogSink {
 public:
  virtual ~LogSink() = default;
  // All that `log` has now, through every file that it goes on in.
  virtual Result<> show(session::LogReader& log) = 0;
  // Nothing more comes.
  virtual Result<> finish() = 0;
  // Readable when nobody reads what is shown any more; null where one cannot see that. Asked for
  // before the first show().
  virtual const os::Handle* reader_gone() = 0;
};

enum class FollowUntil : std::uint8_t { kRunEnds, kSeriesEnds };

struct FollowRequest {
  std::uint64_t run = 1;                // its number
  std::optional<std::uint64_t> tail{};  // begin with the last lines
  FollowUntil until = FollowUntil::kSeriesEnds;
};

enum class FollowEnd : std::uint8_t { kOver, kReaderGone };
Result<FollowEnd> follow_log(runtime::Runtime& runtime, Reporter& reporter,
                             const session::SessionDir& dir, const FollowRequest& request,
                             LogSink& sink);

// Nothing will be added to the log of run `number` any more. Nobody writes what an orphan prints.
bool is_complete(const std::optional<session::SessionView>& view, std::uint64_t number);
Error no_log(const session::SessionDir& dir);

}  // namespace holdfast::loop
