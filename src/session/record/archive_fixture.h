// SPDX-License-Identifier: Apache-2.0
//
// A session with runs and logs.
#pragma once

#include "session/record/layout.h"
#include "session/record/log_files.h"
#include "session/record/session_fixture.h"

namespace holdfast::session {

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
