// SPDX-License-Identifier: Apache-2.0
//
// Records of harness sessions for tests: the least that one can be, and one with everything.
#pragma once

#include "format/session/harness_record.h"
#include "format/session/session_test_values.h"

namespace holdfast {

inline BootMoment harness_test_moment(std::int64_t seconds) {
  return {.boot = *parse_id128("0123456789abcdef0123456789abcdef"),
          .boot_ns = seconds * 1'000'000'000};
}

inline HarnessRecord small_harness() {
  return {.name = "fix-160",
          .id = *parse_id128("00112233445566778899aabbccddeeff"),
          .created = session_test_time(1),
          .born = harness_test_moment(10),
          .renewed = harness_test_moment(10)};
}

inline HarnessRecord full_harness() {
  HarnessRecord record = small_harness();
  record.change = 7;
  record.state = HarnessState::kEnded;
  record.outside = true;
  record.directory = "/srv/agents/ab12 \xff";
  record.device = 2049;
  record.inode = 4711;
  record.adopted = true;
  const ProcessIdentity process = small_session().supervisor;
  record.authority = Authority{.kind = AuthorityKind::kTmux,
                               .id = "agents",
                               .full_id = "$3",
                               .daemon = "4711 88231",
                               .endpoint = "/tmp/tmux-1000/default",
                               .uid = 1000,
                               .machine = *parse_id128("ffeeddccbbaa99887766554433221100"),
                               .process = process};
  record.former_authority = Authority{.kind = AuthorityKind::kCommand, .id = "jobs/17"};
  record.resume_id = "5b1c";
  record.resumes = 2;
  record.ttl = std::chrono::hours(1);
  record.renewed = harness_test_moment(20);
  record.renewed.timens = 4'026'531'834;
  record.attached = {{.token = *parse_id128("a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"),
                      .process = process,
                      .since = session_test_time(2),
                      .what = "/dev/pts/3"},
                     {.token = *parse_id128("b0b1b2b3b4b5b6b7b8b9babbbcbdbebf"),
                      .guest = true,
                      .since = session_test_time(3)}};
  record.ended = HarnessEnd{.at = session_test_time(4), .reason = "merged"};
  record.fields = {{"branch", "fix/160"}, {"odd", "\xff"}};
  return record;
}

}  // namespace holdfast
