// SPDX-License-Identifier: Apache-2.0
#include "session/record/control.h"

#include <fcntl.h>

#include "os/watch/poll.h"
#include "session/record/session_fixture.h"

namespace holdfast::session {
namespace {

class ControlTest : public SessionFixture {
 protected:
  ControlTest() : dir_(make()), control_(*Control::make(dir_.dir())) {}

  void write_raw(const std::string& bytes) const {
    const int fd = ::open(path("control").c_str(), O_WRONLY | O_CLOEXEC);
    ASSERT_GE(fd, 0);
    ASSERT_EQ(::write(fd, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    ::close(fd);
  }

  SessionDir dir_;
  Control control_;
};

TEST_F(ControlTest, WhatIsAskedArrives) {
  EXPECT_TRUE(control_.read_requests()->requests.empty());
  const SessionRequest stop{.grace = std::chrono::seconds(3), .signal = 2, .by = "pid 1"};
  EXPECT_EQ(*ask(dir_.dir(), stop), Asked::kAsked);
  EXPECT_EQ(*ask(dir_.dir(), {}), Asked::kAsked);
  EXPECT_TRUE(*os::is_readable(control_.handle()));
  const Requests requests = *control_.read_requests();
  ASSERT_EQ(requests.requests.size(), 2U);
  EXPECT_EQ(requests.requests[0], stop);
  EXPECT_EQ(requests.ignored, 0U);
  EXPECT_FALSE(*os::is_readable(control_.handle()));
}

TEST_F(ControlTest, GarbageIsCountedAndDoesNoHarm) {
  write_raw("\n{}\nstop\n\xff\xff\n" + std::string(9000, 'x') + "\n");
  EXPECT_EQ(*ask(dir_.dir(), {}), Asked::kAsked);
  write_raw("half a li");
  Requests requests = *control_.read_requests();
  EXPECT_EQ(requests.requests.size(), 1U);
  EXPECT_EQ(requests.ignored, 4U);
  write_raw("ne\n");
  EXPECT_EQ(*ask(dir_.dir(), {}), Asked::kAsked);
  requests = *control_.read_requests();
  EXPECT_EQ(requests.requests.size(), 1U);
  EXPECT_EQ(requests.ignored, 1U);
}

TEST_F(ControlTest, ALineThatWasCutShortSwallowsNoRequest) {
  write_raw(R"({"v":1,"ask":"st)");
  EXPECT_EQ(*ask(dir_.dir(), {}), Asked::kAsked);
  const Requests requests = *control_.read_requests();
  EXPECT_EQ(requests.requests.size(), 1U);
  EXPECT_EQ(requests.ignored, 1U);
}

TEST_F(ControlTest, NobodyListensBehindADeadSupervisor) {
  control_ = *Control::make(make("other").dir());
  EXPECT_EQ(*ask(dir_.dir(), {}), Asked::kNobodyListens);
  ASSERT_TRUE(remove_control(dir_.dir()));
  EXPECT_EQ(*ask(dir_.dir(), {}), Asked::kNobodyListens);
  ASSERT_TRUE(remove_control(dir_.dir()));
}

TEST_F(ControlTest, OneThatIsFullIsBusyAndIsHeardAllTheSame) {
  std::size_t asked = 0;
  const SessionRequest request{.grace = {}, .signal = {}, .by = std::string(256, 'x')};
  for (;;) {
    const auto done = ask(dir_.dir(), request);
    if (!done) {
      EXPECT_EQ(done.error().code, ErrorCode::kBusy);
      break;
    }
    ++asked;
  }
  std::size_t heard = 0;
  while (*os::is_readable(control_.handle())) heard += control_.read_requests()->requests.size();
  EXPECT_EQ(heard, asked);
}

}  // namespace
}  // namespace holdfast::session
