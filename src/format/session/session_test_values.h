// SPDX-License-Identifier: Apache-2.0
//
// Session records for tests: one with every field, one with as few as there can be.
#pragma once

#include <chrono>

#include "format/session/session_record.h"

namespace holdfast {

inline Id128 session_test_id(std::uint8_t first) {
  Id128 id;
  for (std::size_t i = 0; i < id.bytes.size(); ++i)
    id.bytes[i] = static_cast<std::uint8_t>(first + i);
  return id;
}

inline WallTime session_test_time(std::int64_t ms) {
  return WallTime(std::chrono::milliseconds(1'763'200'000'000 + ms));
}

inline ProcessIdentity session_test_identity(std::int32_t pid) {
  return {.boot = session_test_id(0x40),
          .machine = session_test_id(0x60),
          .pidns = 4026531836,
          .timens = 4026531834,
          .pid = pid,
          .start = 88231,
          .pidfs = 70301,
          .uid = 1000};
}

inline SessionRecord small_session() {
  SessionRecord record;
  record.name = "fix-160";
  record.run = session_test_id(1);
  record.order.command = {"true"};
  record.order.directory = "/";
  record.created = session_test_time(0);
  record.supervisor = session_test_identity(4711);
  return record;
}

inline SessionRecord full_session() {
  SessionRecord record = small_session();
  record.name = "odd/name \xc3\xa4";
  record.number = 7;
  record.state = SessionState::kStopping;
  record.order = {.command = {"sh", "-c", "printf '\xff\x01'", ""},
                  .directory = "/srv/dir\xff",
                  .environment = {"A=1", "B="},
                  .stdin_path = "/dev/null",
                  .timeout = std::chrono::hours(1),
                  .idle_timeout = std::chrono::milliseconds(1500),
                  .grace = std::chrono::seconds(10),
                  .kill_signal = 2,
                  .verify = "test -f done",
                  .verify_timeout = std::chrono::minutes(5),
                  .on_end = "notify \"me\"",
                  .locks = {"deploy", "db"},
                  .wait_descendants = true,
                  .log = true,
                  .pty = true,
                  .log_max = 67108864,
                  .memory = 1073741824,
                  .pids = 512,
                  .cpu_percent = 150,
                  .nofile = 1024,
                  .limits_best_effort = true};
  record.host = "alpha";
  record.started = session_test_time(12);
  record.ended = session_test_time(3'600'012);
  record.deadline_boot_ns = 123'456'789'012'345;
  record.command = session_test_identity(4712);
  record.containment = "cgroup";
  record.cgroup =
      SessionCgroup{.path = "/sys/fs/cgroup/holdfast-0102030405060708", .id = 77, .root = 1};
  record.limits_by = {"memory: cgroup", "cpu: not enforced (no controller)"};
  record.reason = "deadline";
  record.detail = "after 1h";
  record.exit_code = 0;
  record.signal = 15;
  record.verified = false;
  record.last_output = session_test_time(999);
  record.log_bytes = 12345;
  record.log_lost = 6;
  record.survivors = {"4712 (sleep)"};
  record.adopted = true;
  record.asked = SessionAsked{.by = "TERM, process 4711", .signal = 15};
  return record;
}

}  // namespace holdfast
