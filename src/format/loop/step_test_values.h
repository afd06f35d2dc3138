// SPDX-License-Identifier: Apache-2.0
//
// Records of steps for tests: the least that one can be, and one with everything.
#pragma once

#include "format/loop/step_record.h"
#include "format/session/series_record.h"
#include "format/session/session_test_values.h"

namespace holdfast {

inline TimeMark step_test_mark(std::int64_t seconds) {
  return {.moment = {.boot = *parse_id128("0123456789abcdef0123456789abcdef"),
                     .boot_ns = seconds * 1'000'000'000,
                     .timens = 4'026'531'834},
          .wall = session_test_time(seconds)};
}

inline StepRecord small_step() { return {.key = "deploy", .created = session_test_time(1)}; }

inline StepRecord full_step() {
  StepRecord record = small_step();
  record.step = StepKind::kNotify;
  record.key = "a/b \xff";
  Digest digest;
  digest.bytes.fill(0xab);
  record.pending = StepPending{.run = *parse_id128("00112233445566778899aabbccddeeff"),
                               .reserved = true,
                               .since = step_test_mark(5),
                               .by = small_session().supervisor,
                               .retry_wait = std::chrono::minutes(5),
                               .repeats = true,
                               .notice = {.texts = {{digest, std::string("it\0broke\n", 9)}}}};
  record.done =
      StepDone{.run = *parse_id128("a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"), .at = step_test_mark(3)};
  record.unsure = StepEnd{.run = *parse_id128("b0a1a2a3a4a5a6a7a8a9aaabacadaeaf"),
                          .began = session_test_time(2)};
  record.runs = 4;
  record.lost = 1;
  record.failures = 2;
  record.max = 3;
  record.lapses = std::chrono::hours(20);
  record.next = DueTime{.from = step_test_mark(4), .wait = std::chrono::minutes(30)};
  record.history = {{.run = *parse_id128("c0a1a2a3a4a5a6a7a8a9aaabacadaeaf"),
                     .began = session_test_time(2),
                     .ended = session_test_time(3),
                     .state = SessionState::kExited,
                     .exit_code = 7,
                     .repeats = true},
                    {.run = *parse_id128("d0a1a2a3a4a5a6a7a8a9aaabacadaeaf"),
                     .began = session_test_time(4),
                     .ended = session_test_time(5),
                     .state = SessionState::kKilled,
                     .signal = 9,
                     .asked = true,
                     .unproven = true}};
  record.sent = {{.text = digest, .at = step_test_mark(2), .unsure = true, .held_back = 13}};
  record.kept = {.texts = {{digest, "not \xfe sent"}}, .repeats = 2, .dropped = 3};
  return record;
}

// Records of series for tests: the least that one can be, and one with everything.
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
