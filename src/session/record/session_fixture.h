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

}  // namespace holdfast::session
