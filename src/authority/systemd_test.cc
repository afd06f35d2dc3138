// SPDX-License-Identifier: Apache-2.0
//
// The real systemctl: where no systemd runs, and with a real manager of the user's, started here in
// a mount namespace that makes it believe that the machine was booted with systemd.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "authority/ask.h"
#include "testing/temp_dir.h"

namespace holdfast::authority {
namespace {

using std::chrono::seconds;

bool systemd_sh(const std::string& line) { return std::system(line.c_str()) == 0; }

Verdict systemd_verdict_of(const Authority& authority) {
  const Answer answer = ask(question_for(authority).value(), seconds(60));
  if (!answer.told) std::fprintf(stderr, "%s\n", answer.detail.c_str());
  return judge(authority, "s", &answer);
}

TEST(RealSystemd, WithoutAManagerNothingIsTold) {
  if (!systemd_sh("command -v systemctl >/dev/null")) GTEST_SKIP() << "there is no systemctl";
  const testing::TempDir temp;
  ::setenv("XDG_RUNTIME_DIR", temp.path().c_str(), 1);
  ::setenv("DBUS_SESSION_BUS_ADDRESS", ("unix:path=" + temp.path("none")).c_str(), 1);
  const Answer answer = ask({.kind = AuthorityKind::kSystemd, .endpoint = "user"}, seconds(60));
  EXPECT_EQ(answer.reason, "failed") << answer.detail;
  ::unsetenv("DBUS_SESSION_BUS_ADDRESS");
}

constexpr const char* kManager = R"sh(
mount -t tmpfs none /run && mkdir -p /run/systemd/system || exit 1
mount -t tmpfs none /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup || exit 1
group=/sys/fs/cgroup/holdfast-test-$$
export group
mkdir "$group" || exit 1
sh -c 'echo $$ >"$group/cgroup.procs" &&
  exec /lib/systemd/systemd --user --log-target=console --show-status=no' &
manager=$!
trap 'kill "$manager"' TERM ALRM
while kill -0 "$manager" 2>/dev/null; do wait "$manager"; done
find "$group" -depth -type d -exec rmdir {} +)sh";

class UserManager : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs the right to mount";
    if (!std::filesystem::exists("/lib/systemd/systemd")) GTEST_SKIP() << "there is no systemd";
    ::unsetenv("DBUS_SESSION_BUS_ADDRESS");
    ::setenv("XDG_RUNTIME_DIR", temp_.path("rt").c_str(), 1);
    ::setenv("XDG_CONFIG_HOME", temp_.path("config").c_str(), 1);
    std::filesystem::create_directories(temp_.path("rt"));
    std::filesystem::create_directories(temp_.path("config") + "/systemd/user");
    pid_ = ::fork();
    if (pid_ == 0) {
      ::alarm(100);
      if (std::freopen(temp_.path("log").c_str(), "w", stderr) == nullptr) ::_exit(126);
      ::execlp("unshare", "unshare", "-m", "--propagation", "private", "sh", "-c", kManager,
               nullptr);
      ::_exit(127);
    }
    while (!systemd_sh("systemctl --user show-environment >/dev/null 2>&1")) {
      if (::waitpid(pid_, nullptr, WNOHANG) == pid_) {
        pid_ = 0;
        GTEST_SKIP() << "no manager of systemd can be started here";
      }
    }
  }
  void TearDown() override {
    if (pid_ > 0) {
      systemd_sh("systemctl --user stop hf-test.service >/dev/null 2>&1");
      ::kill(pid_, SIGTERM);
      ::waitpid(pid_, nullptr, 0);
    }
    ::unsetenv("XDG_RUNTIME_DIR");
    ::unsetenv("XDG_CONFIG_HOME");
  }

  testing::TempDir temp_;
  pid_t pid_ = 0;
};

TEST_F(UserManager, AUnitIsListedFromItsFileToItsRemoval) {
  const Authority unit = describe({AuthorityKind::kSystemd, "user:hf-test"}, seconds(60)).value();
  EXPECT_EQ(systemd_verdict_of(unit).reason, "not-listed");
  const std::string file = temp_.path("config") + "/systemd/user/hf-test.service";
  std::ofstream(file) << "[Service]\nExecStart=/bin/sleep 1000\n";
  ASSERT_TRUE(systemd_sh("systemctl --user daemon-reload"));
  EXPECT_EQ(systemd_verdict_of(unit).reason, "listed");  // never started: only a file
  ASSERT_TRUE(systemd_sh("systemctl --user start hf-test"));
  EXPECT_EQ(systemd_verdict_of(unit).reason, "listed");
  std::filesystem::remove(file);
  ASSERT_TRUE(systemd_sh("systemctl --user daemon-reload"));
  EXPECT_EQ(systemd_verdict_of(unit).reason, "listed");  // it runs without its file
  const Question question = question_for(unit).value();
  const Answer answer = ask(question, seconds(60));
  EXPECT_EQ(confirm(question, answer, {unit}, seconds(60)).at(0).vouched, Vouched::kLive);
  ASSERT_TRUE(systemd_sh("systemctl --user stop hf-test"));
  EXPECT_EQ(systemd_verdict_of(unit).reason, "not-listed");
  const Verdict denied = confirm(question, answer, {unit}, seconds(60)).at(0);
  EXPECT_EQ(denied.reason, "no-such-unit") << denied.detail;
}

}  // namespace
}  // namespace holdfast::authority
