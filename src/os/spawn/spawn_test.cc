// SPDX-License-Identifier: Apache-2.0
#include "os/spawn/spawn.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

using SpawnKind = StartFailure::Kind;

class Spawn : public ::testing::Test {
 protected:
  static std::optional<StartFailure> start(const std::vector<std::string>& argv, ChildEnd* end) {
    auto spawned = spawn({.argv = argv, .stdout_to = StdoutTo::kStdout, .signals = {}});
    EXPECT_TRUE(spawned);
    EXPECT_TRUE(spawned->release());
    const auto failure = spawned->read_start();
    EXPECT_TRUE(failure);
    *end = reap_child(spawned->child().pid).value();
    return *failure;
  }
  std::string make_file(const char* name, const char* content, mode_t mode) const {
    const std::string path = tmp_.path(name);
    std::ofstream(path) << content;
    ::chmod(path.c_str(), mode);
    return path;
  }
  testing::TempDir tmp_;
  ChildEnd end_;
};

TEST_F(Spawn, ACommandRunsAndItsCodeIsItsOwn) {
  for (const int code : {0, 3, 125, 126, 127}) {
    EXPECT_FALSE(start({"/bin/sh", "-c", "exit " + std::to_string(code)}, &end_));
    EXPECT_EQ(end_.value, code);
  }
}

TEST_F(Spawn, NothingRunsBeforeTheGateIsOpen) {
  const std::string mark = tmp_.path("mark");
  auto spawned = spawn({.argv = {"touch", mark}, .stdout_to = {}, .signals = {}});
  ASSERT_TRUE(spawned);
  EXPECT_FALSE(std::filesystem::exists(mark));
  ASSERT_TRUE(spawned->release());
  ASSERT_TRUE(reap_child(spawned->child().pid));
  EXPECT_TRUE(std::filesystem::exists(mark));
}

TEST_F(Spawn, AGateThatIsDroppedLetsNothingRun) {
  const std::string mark = tmp_.path("mark");
  Pid pid{};
  {
    auto spawned = spawn({.argv = {"touch", mark}, .stdout_to = {}, .signals = {}});
    ASSERT_TRUE(spawned);
    pid = spawned->child().pid;
  }
  EXPECT_EQ(reap_child(pid).value().value, 125);
  EXPECT_FALSE(std::filesystem::exists(mark));
}

TEST_F(Spawn, WhyACommandCannotRunIsToldApart) {
  const auto kind_of = [&](const std::string& program) { return start({program}, &end_)->kind; };
  EXPECT_EQ(kind_of("no-such-command-anywhere"), SpawnKind::kNotFound);
  EXPECT_EQ(kind_of(tmp_.path("absent")), SpawnKind::kNotFound);
  EXPECT_EQ(kind_of(""), SpawnKind::kNotFound);
  EXPECT_EQ(kind_of(make_file("plain", "x", 0644)), SpawnKind::kNotExecutable);
  EXPECT_EQ(kind_of(tmp_.path()), SpawnKind::kNotExecutable) << "a directory";
  EXPECT_EQ(kind_of(make_file("orphan", "#!/no/such/shell\n", 0755)), SpawnKind::kNotExecutable);
  EXPECT_EQ(kind_of(make_file("no-hashbang", "exit 0\n", 0755)), SpawnKind::kNotExecutable);
}

TEST_F(Spawn, AWordIsNotCutAtANulByte) {
  const auto spawned =
      spawn({.argv = {"true", std::string("a\0b", 3)}, .stdout_to = {}, .signals = {}});
  ASSERT_FALSE(spawned);
  EXPECT_EQ(spawned.error().cause, "unsafe-name");
}

TEST_F(Spawn, TheStreamsTheDirectoryAndTheEnvironmentAreThoseAskedFor) {
  const Handle in(::open(make_file("in", "given\n", 0644).c_str(), O_RDONLY | O_CLOEXEC));
  const std::string out_path = make_file("out", "", 0644);
  const Handle out(::open(out_path.c_str(), O_WRONLY | O_CLOEXEC));
  make_file("shown", "#!/bin/sh\ncat; pwd; echo \"$NAME\"\n", 0755);
  auto spawned = spawn({.argv = {"shown"},
                        .stdin_from = StdinFrom::kHandle,
                        .input = in.get(),
                        .stdout_to = StdoutTo::kHandle,
                        .output = out.get(),
                        .directory = tmp_.path(),
                        .environment = {"NAME=before", "PATH=/usr/bin:/bin:.", "NAME=value"}});
  ASSERT_TRUE(spawned);
  ASSERT_TRUE(spawned->release());
  EXPECT_EQ(reap_child(spawned->child().pid).value().value, 0);
  std::ostringstream got;
  got << std::ifstream(out_path).rdbuf();
  EXPECT_EQ(got.str(), "given\n" + tmp_.path() + "\nvalue\n");
}

TEST_F(Spawn, WhatIsNoVariableIsRefusedAndNothingStarts) {
  for (const std::string& wrong :
       {std::string("NAME"), std::string("=value"), std::string(), std::string("NAME=a\0b", 8)}) {
    EXPECT_FALSE(spawn({.argv = {"true"}, .environment = {wrong}})) << wrong;
  }
}

// Every preparation step of the child itself, failed in the child alone.
class FailInChild final : public testing::CallHook {
 public:
  explicit FailInChild(std::string call) : call_(std::move(call)) {}
  testing::Fate before(const testing::CallSite& call) override {
    // One that shares our memory makes calls that no hook sees.
    if (call.name == "clone_vm") return {.kind = testing::Fate::Kind::kFail, .os_code = ENOSYS};
    if (::getpid() == parent_ || call.name != call_) return {};
    return {.kind = testing::Fate::Kind::kFail, .os_code = EINVAL};
  }

 private:
  std::string call_;
  pid_t parent_ = ::getpid();
};

volatile std::sig_atomic_t g_handled = 0;

// One that came at the gate strikes as it would strike the command, with or without shared memory.
TEST_F(Spawn, ASignalThatWaitedMeetsNoHandlerOfTheCallers) {
  struct sigaction handler{};
  handler.sa_handler = [](int) { g_handled = 1; };
  struct sigaction before{};
  ASSERT_EQ(::sigaction(SIGUSR1, &handler, &before), 0);
  FailInChild without_sharing("");
  for (testing::CallHook* fault : {static_cast<testing::CallHook*>(nullptr),
                                   static_cast<testing::CallHook*>(&without_sharing)}) {
    std::optional<testing::ScopedCallHook> hook;
    if (fault != nullptr) hook.emplace(*fault);
    auto spawned = spawn({.argv = {"true"}, .signals = {}});
    ASSERT_TRUE(spawned);
    ASSERT_TRUE(spawned->child().signal(SIGUSR1));
    ASSERT_TRUE(spawned->release());
    const ChildEnd end = reap_child(spawned->child().pid).value();
    EXPECT_EQ(end.how, ChildEnd::How::kSignalled);
    EXPECT_EQ(end.value, SIGUSR1);
    EXPECT_EQ(g_handled, 0);
  }
  ASSERT_EQ(::sigaction(SIGUSR1, &before, nullptr), 0);
}

TEST_F(Spawn, AStepThatFailsInTheChildIsHoldfastsFailureNotTheCommands) {
  for (const char* call : {"sigaction", "sigprocmask", "dup2", "chdir"}) {
    FailInChild fault(call);
    const testing::ScopedCallHook hook(fault);
    auto spawned =
        spawn({.argv = {"true"}, .stdout_to = StdoutTo::kStderr, .directory = "/", .signals = {}});
    ASSERT_TRUE(spawned);
    ASSERT_TRUE(spawned->release());
    const auto failure = spawned->read_start();
    ASSERT_TRUE(failure && *failure) << call;
    const bool directory = std::string_view(call) == "chdir";
    EXPECT_EQ((*failure)->kind, directory ? SpawnKind::kNoDirectory : SpawnKind::kNotReached)
        << call;
    EXPECT_EQ(reap_child(spawned->child().pid).value().value, 125);
  }
}

}  // namespace
}  // namespace holdfast::os
