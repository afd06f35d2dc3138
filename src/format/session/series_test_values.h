// SPDX-License-Identifier: Apache-2.0
//
// Records of series for tests: the least that one can be, and one with everything.
#pragma once

#include "format/loop/step_test_values.h"
#include "format/session/series_record.h"

namespace holdfast {

inline SeriesRecord small_series() {
  return {.name = "fix-160", .since = step_test_mark(1), .command = {"./agent"}};
}

inline SeriesRecord full_series() {
  SeriesRecord record = small_series();
  record.name = "a/b \xff";
  record.command = {"./agent", "--\xfe"};
  record.directory = "/srv/work";
  record.iterations = 20;
  record.done = 3;
  record.errors = 2;
  record.idle = 1;
  record.unknown = 1;
  Digest digest;
  digest.bytes.fill(0xab);
  record.mark = digest;
  record.pending = SeriesPending{.n = 4,
                                 .run = *parse_id128("00112233445566778899aabbccddeeff"),
                                 .begun = true,
                                 .since = session_test_time(9)};
  record.over = SeriesReason::kPlateau;
  record.code = 76;
  record.answered = true;
  record.history = {{.n = 1,
                     .run = *parse_id128("a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"),
                     .began = session_test_time(2),
                     .ended = session_test_time(3),
                     .state = SessionState::kExited,
                     .exit_code = 0,
                     .progress = SeriesProgress::kMoved},
                    {.n = 2,
                     .run = *parse_id128("b0a1a2a3a4a5a6a7a8a9aaabacadaeaf"),
                     .began = session_test_time(4),
                     .ended = session_test_time(5),
                     .state = SessionState::kKilled,
                     .signal = 9,
                     .code = 137,
                     .asked = true,
                     .progress = SeriesProgress::kIdle},
                    {.n = 3,
                     .run = *parse_id128("c0a1a2a3a4a5a6a7a8a9aaabacadaeaf"),
                     .code = 69,
                     .progress = SeriesProgress::kCannotTell}};
  return record;
}

}  // namespace holdfast
