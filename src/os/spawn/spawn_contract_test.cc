// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/spawn.h"

#include <gtest/gtest.h>

#include "os/machine/real_clock.h"
#include "os/path/safe_name.h"
#include "os/stream/pipe.h"
#include "os/watch/poll.h"
#include "testing/programs.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

using testing::test_child;
using SpawnContractKind = StartFailure::Kind;

// Runs it to its end; its output is in `printed`.
class SpawnContract : public ::testing::Test {
 protected:
  ChildEnd run_request(SpawnRequest request) {
    Pipe out = make_pipe().value();
    request.stdout_to = StdoutTo::kHandle;
    request.output = out.write_end.get();
    auto spawned = spawn(request);
    EXPECT_TRUE(spawned) << (spawned ? "" : spawned.error().detail);
    if (!spawned) return {};
    out.write_end.reset();
    EXPECT_TRUE(spawned->release());
    failure_ = spawned->read_start().value();
    printed_ = read_pipe_to_end(out.read_end, 1U << 20U).value();
    return reap_child(spawned->child().pid).value();
  }
  ChildEnd run(std::vector<std::string> argv) {
    SpawnRequest request;
    request.argv = std::move(argv);
    return run_request(std::move(request));
  }

  std::string printed_;
  std::optional<StartFailure> failure_;
  testing::TempDir tmp_;
};

TEST_F(SpawnContract, TheExitCodeIsTheCommands) {
  for (const int code : {0, 1, 77, 255}) {
    const ChildEnd end = run(test_child({"exit", std::to_string(code)}));
    EXPECT_EQ(end.how, ChildEnd::How::kExited);
    EXPECT_EQ(end.value, code);
    EXPECT_FALSE(failure_);
  }
}

TEST_F(SpawnContract, OneThatIsKilledIsToldFromOneThatExits) {
  const ChildEnd end = run(test_child({"die", "9"}));
  EXPECT_EQ(end.how, ChildEnd::How::kSignalled);
  EXPECT_EQ(end.value, kSignalKill);
}

TEST_F(SpawnContract, EveryWordArrivesAsItIs) {
  const std::vector<std::string> words{"plain",
                                       "",
                                       "two words",
                                       "\"quoted\"",
                                       "back\\slash",
                                       "end\\",
                                       "dir\\ with\\\\",
                                       "\\\"",
                                       "a\\\\\"b",
                                       "tab\there",
                                       "%PATH%",
                                       "^&|<>",
                                       "*",
                                       "\xC3\xA4\xE2\x82\xAC",
                                       "'single'"};
  std::vector<std::string> behaviour{"words"};
  behaviour.insert(behaviour.end(), words.begin(), words.end());
  EXPECT_EQ(run(test_child(behaviour)).value, 0);
  std::string expected;
  for (const std::string& word : words) expected += "[" + word + "]";
  EXPECT_EQ(printed_, expected);
}

TEST_F(SpawnContract, NothingRunsBeforeTheGateIsOpen) {
  const std::string mark = tmp_.path("mark");
  {
    const auto spawned = spawn({.argv = test_child({"mark", mark})});
    ASSERT_TRUE(spawned);
    EXPECT_FALSE(wait_readable({&spawned->child().pidfd}, std::chrono::milliseconds(50)).value())
        << "it waits";
    EXPECT_FALSE(tmp_.dir().info(SafeName::make("mark").value()).value());
  }
  // Dropped: it ends with 125, and has not run.
  Reaped reaped = reap_any().value();
  for (int i = 0; i < 2000 && std::holds_alternative<NoneEnded>(reaped); ++i) {
    pause(std::chrono::milliseconds(5));
    reaped = reap_any().value();
  }
  ASSERT_TRUE(std::holds_alternative<ChildEnd>(reaped));
  EXPECT_EQ(std::get<ChildEnd>(reaped).value, 125);
  EXPECT_FALSE(tmp_.dir().info(SafeName::make("mark").value()).value());
  EXPECT_TRUE(std::holds_alternative<NoChildren>(reap_any().value()));
}

TEST_F(SpawnContract, WhatCannotBeStartedIsSaidAndIsNoExitCode) {
  const ChildEnd absent = run(std::vector<std::string>{"no-such-command-anywhere"});
  ASSERT_TRUE(failure_);
  EXPECT_EQ(failure_->kind, SpawnContractKind::kNotFound);
  EXPECT_EQ(absent.value, 125);
  EXPECT_EQ(run({tmp_.path("nothing")}).value, 125);
  EXPECT_EQ(failure_->kind, SpawnContractKind::kNotFound);
  auto plain = tmp_.dir().create_file(SafeName::make("plain").value(), 0600).value();
  ASSERT_TRUE(plain->write_all("no program"));
  plain.reset();
  run({tmp_.path("plain")});
  ASSERT_TRUE(failure_);
  EXPECT_EQ(failure_->kind, SpawnContractKind::kNotExecutable);
  run_request({.argv = test_child({"exit", "0"}), .directory = tmp_.path("absent")});
  ASSERT_TRUE(failure_);
  EXPECT_EQ(failure_->kind, SpawnContractKind::kNoDirectory);
}

TEST_F(SpawnContract, TheEnvironmentIsTheCallersWithWhatWasAddedAndTaken) {
  run_request(
      {.argv = test_child({"env", "HF_SPAWN_TEST"}), .environment = {"HF_SPAWN_TEST=a=b c"}});
  EXPECT_EQ(printed_, "a=b c");
  run_request({.argv = test_child({"env", "PATH"}), .environment_without = {"PATH"}});
  EXPECT_EQ(printed_, "(none)");
  run(test_child({"env", "PATH"}));
  EXPECT_NE(printed_, "(none)");
  for (const char* bad : {"NAME", "=VALUE"}) {
    EXPECT_FALSE(spawn({.argv = test_child({"exit", "0"}), .environment = {bad}})) << bad;
  }
}

TEST_F(SpawnContract, ItsStdinIsNothingOrAHandle) {
  run_request({.argv = test_child({"cat"}), .stdin_from = StdinFrom::kNothing});
  EXPECT_EQ(printed_, "");
  Pipe in = make_pipe().value();
  ASSERT_TRUE(write_some(in.write_end, "typed"));
  in.write_end.reset();
  run_request(
      {.argv = test_child({"cat"}), .stdin_from = StdinFrom::kHandle, .input = in.read_end.get()});
  EXPECT_EQ(printed_, "typed");
}

// A copy in a second child would keep the pipe from ending.
TEST_F(SpawnContract, AChildGetsNoHandleThatWasNotMeantForIt) {
  Pipe pipe = make_pipe().value();
  auto other = spawn({.argv = test_child({"sleep-forever"}), .stdin_from = StdinFrom::kNothing});
  ASSERT_TRUE(other);
  ASSERT_TRUE(other->release());
  pipe.write_end.reset();
  EXPECT_TRUE(wait_readable({&pipe.read_end}, std::chrono::seconds(20)).value());
  EXPECT_EQ(other->child().signal(kSignalKill).value(), Sent::kSent);
  EXPECT_EQ(reap_child(other->child().pid).value().value, kSignalKill);
}

TEST_F(SpawnContract, AKilledChildIsReapedOnceAndThenGone) {
  auto spawned = spawn({.argv = test_child({"sleep-forever"}), .stdout_to = StdoutTo::kStderr});
  ASSERT_TRUE(spawned);
  ASSERT_TRUE(spawned->release());
  const Pid pid = spawned->child().pid;
  EXPECT_FALSE(reap_if_ended(pid).value());
  EXPECT_EQ(signal_own_child(pid, kSignalKill).value(), Sent::kSent);
  const ChildEnd end = reap_child(pid).value();
  EXPECT_EQ(end.how, ChildEnd::How::kSignalled);
  EXPECT_EQ(end.value, kSignalKill);
  EXPECT_EQ(signal_own_child(pid, kSignalKill).value(), Sent::kGone);
}

}  // namespace
}  // namespace holdfast::os
