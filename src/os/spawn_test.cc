// SPDX-License-Identifier: Apache-2.0
#include "os/spawn.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

using Kind = StartFailure::Kind;

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
  [[nodiscard]] std::string make_file(const char* name, const char* content, mode_t mode) const {
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
  EXPECT_EQ(kind_of("no-such-command-anywhere"), Kind::kNotFound);
  EXPECT_EQ(kind_of(tmp_.path("absent")), Kind::kNotFound);
  EXPECT_EQ(kind_of(""), Kind::kNotFound);
  EXPECT_EQ(kind_of(make_file("plain", "x", 0644)), Kind::kNotExecutable);
  EXPECT_EQ(kind_of(tmp_.path()), Kind::kNotExecutable) << "a directory";
  EXPECT_EQ(kind_of(make_file("orphan", "#!/no/such/shell\n", 0755)), Kind::kNotExecutable);
  EXPECT_EQ(kind_of(make_file("no-hashbang", "exit 0\n", 0755)), Kind::kNotExecutable);
}

TEST_F(Spawn, AWordIsNotCutAtANulByte) {
  const auto spawned =
      spawn({.argv = {"true", std::string("a\0b", 3)}, .stdout_to = {}, .signals = {}});
  ASSERT_FALSE(spawned);
  EXPECT_EQ(spawned.error().cause, "unsafe-name");
}

// Every preparation step of the child itself, failed in the child alone.
class FailInChild final : public testing::CallHook {
 public:
  explicit FailInChild(std::string call) : call_(std::move(call)) {}
  testing::Fate before(const testing::CallSite& call) override {
    if (::getpid() == parent_ || call.name != call_) return {};
    return {.kind = testing::Fate::Kind::kFail, .os_code = EINVAL};
  }

 private:
  std::string call_;
  pid_t parent_ = ::getpid();
};

TEST_F(Spawn, AStepThatFailsInTheChildIsHoldfastsFailureNotTheCommands) {
  for (const char* call : {"sigaction", "sigprocmask", "dup2"}) {
    FailInChild fault(call);
    const testing::ScopedCallHook hook(fault);
    auto spawned = spawn({.argv = {"true"}, .stdout_to = StdoutTo::kStderr, .signals = {}});
    ASSERT_TRUE(spawned);
    ASSERT_TRUE(spawned->release());
    const auto failure = spawned->read_start();
    ASSERT_TRUE(failure && *failure) << call;
    EXPECT_EQ((*failure)->kind, Kind::kNotReached) << call;
    EXPECT_EQ(reap_child(spawned->child().pid).value().value, 125);
  }
}

}  // namespace
}  // namespace holdfast::os
