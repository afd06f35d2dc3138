// SPDX-License-Identifier: Apache-2.0
//
// Session records for tests: one with every field, one with as few as there can be.
#pragma once

#include <chrono>

#include "format/session/session_record.h"
#include "format/session/workspace_record.h"

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

// Records of workspaces for tests: the least that one can be, and one with everything.
inline BootMoment workspace_test_moment(std::int64_t seconds) {
  return {.boot = *parse_id128("0123456789abcdef0123456789abcdef"),
          .boot_ns = seconds * 1'000'000'000};
}

inline WorkspaceRecord small_workspace() {
  return {.name = "fix-160",
          .id = *parse_id128("00112233445566778899aabbccddeeff"),
          .created = session_test_time(1),
          .born = workspace_test_moment(10),
          .renewed = workspace_test_moment(10)};
}

inline WorkspaceRecord full_workspace() {
  WorkspaceRecord record = small_workspace();
  record.change = 7;
  record.state = WorkspaceState::kEnded;
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
  record.renewed = workspace_test_moment(20);
  record.renewed.timens = 4'026'531'834;
  record.attached = {{.token = *parse_id128("a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"),
                      .process = process,
                      .since = session_test_time(2),
                      .what = "/dev/pts/3"},
                     {.token = *parse_id128("b0b1b2b3b4b5b6b7b8b9babbbcbdbebf"),
                      .guest = true,
                      .since = session_test_time(3)}};
  record.ended = WorkspaceEnd{.at = session_test_time(4), .reason = "merged"};
  record.fields = {{"branch", "fix/160"}, {"odd", "\xff"}};
  return record;
}

}  // namespace holdfast
