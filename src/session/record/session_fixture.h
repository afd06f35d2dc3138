// SPDX-License-Identifier: Apache-2.0
//
// A sessions directory of its own, and records of real processes.
#pragma once

#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "format/session/session_test_values.h"
#include "proc/identity/identity.h"
#include "session/record/layout.h"
#include "session/record/log_files.h"
#include "session/record/store.h"
#include "testing/temp_dir.h"

namespace holdfast::session {

inline ProcessIdentity identity_of(os::Pid pid) {
  return proc::to_record(**proc::identity_of(pid));
}
inline ProcessIdentity own_identity() { return proc::to_record(*proc::own_identity()); }

inline SessionRecord session_in(SessionState state, const ProcessIdentity& supervisor) {
  SessionRecord record = small_session();
  record.state = state;
  record.supervisor = supervisor;
  return record;
}

class SessionFixture : public ::testing::Test {
 protected:
  SessionFixture() : store_(*os::Dir::open(tmp_.path())) {}

  [[nodiscard]] SessionDir make(const std::string& name = "fix-160") const {
    return *store_.find_or_make(name);
  }
  [[nodiscard]] std::string path(const std::string& rest) const {
    return tmp_.path() + "/fix-160/" + rest;
  }
  void put(const std::string& rest, std::string_view bytes) const {
    std::ofstream(path(rest), std::ios::binary) << bytes;
  }
  [[nodiscard]] std::string content(const std::string& rest) const {
    std::ifstream file(path(rest), std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
  }
  [[nodiscard]] bool exists(const std::string& rest) const {
    return std::filesystem::exists(path(rest));
  }

  testing::TempDir tmp_;
  SessionStore store_;
};

// A session with runs and logs.
class Archive : public SessionFixture {
 protected:
  Archive() : dir_(make()) {}

  SessionRecord write(std::uint64_t number, std::uint8_t id = 1) {
    SessionRecord record = small_session();
    record.number = number;
    record.run = session_test_id(id);
    record.state = SessionState::kExited;
    record.exit_code = 0;
    EXPECT_TRUE(dir_.write(record, os::Durability::kNone));
    return record;
  }
  // All that is there now.
  std::string read(std::uint64_t number) {
    auto log = LogReader::open(dir_, number);
    if (!log || !*log) return log ? "(none)" : log.error().cause;
    return drain(**log);
  }
  static std::string drain(LogReader& log) {
    std::string all;
    for (;;) {
      const std::string piece = *log.read_some();
      if (piece.empty() && !*log.look_for_more()) return all;
      all += piece;
    }
  }
  // As the supervisor does it (run/session/log_file.cc).
  void rotate() const {
    const auto moved = dir_.dir().rename_over(log_name(), old_log_name());
    EXPECT_TRUE(moved) << to_sentence(moved.error());
  }
  void append(std::string_view bytes) const {
    std::ofstream(path("out.log"), std::ios::binary | std::ios::app) << bytes;
  }

  SessionDir dir_;
};

}  // namespace holdfast::session
