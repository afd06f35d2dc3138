// SPDX-License-Identifier: Apache-2.0
//
// A real podman with a store of its own (tests/lib/podman.inc), and the real clients of engines
// that do not run here.
#include <gtest/gtest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "authority/ask.h"
#include "authority/client_fixture.h"
#include "testing/temp_dir.h"

namespace holdfast::authority {
namespace {

using std::chrono::seconds;

bool engines_sh(const std::string& line) { return std::system(line.c_str()) == 0; }

class RealPodman : public ::testing::Test {
 protected:
  void SetUp() override {
    ::unsetenv("CONTAINER_HOST");
    ::unsetenv("CONTAINER_CONNECTION");
    if (!make(dir())) GTEST_SKIP() << why();
    use(dir());
  }
  void TearDown() override {
    ::unsetenv("CONTAINER_HOST");
    end(dir());
    end(other_dir());
    ::unsetenv("CONTAINERS_CONF");
    ::unsetenv("CONTAINERS_STORAGE_CONF");
  }

  [[nodiscard]] std::string dir() const { return temp_.path("podman"); }
  [[nodiscard]] std::string other_dir() const { return temp_.path("other"); }
  [[nodiscard]] bool make(const std::string& where) const {
    return engines_sh(". " HF_PODMAN_INC "; podman_make " + where + " || { echo \"$podman_why\" >" +
                      temp_.path("why") + "; exit 1; }");
  }
  [[nodiscard]] std::string why() const {
    std::stringstream text;
    text << std::ifstream(temp_.path("why")).rdbuf();
    return text.str();
  }
  static void end(const std::string& where) {
    engines_sh(". " HF_PODMAN_INC "; podman_end " + where);
  }
  static void use(const std::string& where) {
    ::setenv("CONTAINERS_CONF", (where + "/containers.conf").c_str(), 1);
    ::setenv("CONTAINERS_STORAGE_CONF", (where + "/storage.conf").c_str(), 1);
  }
  static bool start(const std::string& name) {
    return engines_sh(". " HF_PODMAN_INC "; podman_start " + name);
  }
  static Authority described(const std::string& id) {
    return describe({AuthorityKind::kPodman, id}, seconds(60)).value();
  }
  static Verdict verdict_of(const Authority& authority) {
    const Answer answer = ask(question_for(authority).value(), seconds(60));
    const Verdict verdict = judge(authority, "the-session", &answer);
    if (!answer.told) std::fprintf(stderr, "%s\n", answer.detail.c_str());
    return verdict;
  }

  testing::TempDir temp_;
};

TEST_F(RealPodman, RunningAndStoppedExistAndRemovedDoesNot) {
  const Authority early = described("web");  // before there is one
  EXPECT_EQ(early.full_id, "");
  EXPECT_EQ(early.endpoint, "local");
  EXPECT_EQ(verdict_of(early).reason, "not-listed");
  ASSERT_TRUE(start("web"));
  const Authority web = described("web");
  EXPECT_EQ(web.full_id.size(), 64U);
  EXPECT_EQ(web.daemon, early.daemon);
  EXPECT_EQ(described(web.full_id.substr(0, 12)).full_id, web.full_id);
  EXPECT_EQ(verdict_of(early).reason, "listed");
  EXPECT_EQ(verdict_of(web).reason, "listed");
  ASSERT_TRUE(engines_sh("podman stop -t 0 web >/dev/null"));
  EXPECT_EQ(verdict_of(web).reason, "listed");
  ASSERT_TRUE(engines_sh("podman rename web other"));
  EXPECT_EQ(verdict_of(web).reason, "listed");
  ASSERT_TRUE(engines_sh("podman rm other >/dev/null"));
  EXPECT_EQ(verdict_of(web).vouched, Vouched::kDead);
  EXPECT_EQ(verdict_of(early).vouched, Vouched::kDead);
}

TEST_F(RealPodman, AnotherStoreIsAnotherDaemonAndItsEmptyListKillsNobody) {
  ASSERT_TRUE(start("web"));
  const Authority web = described("web");
  ASSERT_TRUE(make(other_dir())) << why();
  use(other_dir());
  EXPECT_EQ(verdict_of(web).reason, "other-daemon");
  use(dir());
  EXPECT_EQ(verdict_of(web).reason, "listed");
}

TEST_F(RealPodman, AnotherDatabaseOfTheSameStoreStillSeesTheContainer) {
  ASSERT_TRUE(start("web"));
  const Authority web = described("web");
  ASSERT_TRUE(engines_sh("sed 's#/static#/static2#; s#/tmp\"#/tmp2\"#' " + dir() +
                         "/containers.conf >" + dir() + "/second.conf"));
  ::setenv("CONTAINERS_CONF", (dir() + "/second.conf").c_str(), 1);
  EXPECT_EQ(verdict_of(web).reason, "listed");
}

TEST_F(RealPodman, AStoreThatWasReplacedAtItsPathIsAnother) {
  const Authority web = described("web");
  ASSERT_TRUE(engines_sh("mv " + dir() + "/root " + dir() + "/root-before"));
  EXPECT_EQ(verdict_of(web).vouched, Vouched::kUnknown);
  ASSERT_TRUE(
      engines_sh("rm -rf " + dir() + "/root && mv " + dir() + "/root-before " + dir() + "/root"));
  EXPECT_EQ(verdict_of(web).reason, "not-listed");
}

TEST_F(RealPodman, AServiceThatIsReachedByItsSocketIsNotTheLocalStore) {
  ASSERT_TRUE(start("web"));
  const Authority local = described("web");
  const std::string socket = "unix://" + temp_.path("sock");
  const pid_t service = ::fork();
  if (service == 0) {
    ::alarm(100);
    ::execlp("podman", "podman", "system", "service", "-t", "0", socket.c_str(), nullptr);
    ::_exit(127);
  }
  ::setenv("CONTAINER_HOST", socket.c_str(), 1);
  for (int tries = 0; tries < 500 && !engines_sh("podman version >/dev/null 2>&1"); ++tries) {
  }
  EXPECT_EQ(verdict_of(local).reason, "other-endpoint");
  const Authority remote = described("web");
  EXPECT_EQ(remote.endpoint, socket);
  EXPECT_EQ(verdict_of(remote).reason, "listed");
  ASSERT_TRUE(engines_sh("podman rm -f -t 0 web >/dev/null"));
  EXPECT_EQ(verdict_of(remote).reason, "not-listed");
  ::kill(service, SIGKILL);
  ::waitpid(service, nullptr, 0);
  EXPECT_EQ(verdict_of(remote).reason, "failed");
  ::unsetenv("CONTAINER_HOST");
  EXPECT_EQ(verdict_of(remote).reason, "other-endpoint");
}

TEST_F(RealPodman, ContainersOfAPodAreListedAndSoIsThePod) {
  if (!engines_sh("podman pod create --name pod --infra-image holdfast-test:1 "
                  "--infra-command '/bin/sleep 1000' >/dev/null") ||
      !engines_sh("podman run -d --pod pod --name web holdfast-test:1 sleep 1000 >/dev/null")) {
    GTEST_SKIP() << "no pod can be made here";
  }
  EXPECT_EQ(verdict_of(described("web")).reason, "listed");
  EXPECT_EQ(verdict_of(described("pod")).reason, "listed");
  engines_sh("podman pod rm -f -t 0 pod >/dev/null 2>&1");
}

TEST(RealDocker, WithoutADaemonTheRealClientHasToldNothing) {
  if (!engines_sh("command -v docker >/dev/null")) GTEST_SKIP() << "there is no docker";
  ::setenv("DOCKER_HOST", "unix:///nonexistent/docker.sock", 1);
  const Answer answer = ask({.kind = AuthorityKind::kDocker}, seconds(60));
  ::unsetenv("DOCKER_HOST");
  EXPECT_FALSE(answer.told);
  EXPECT_EQ(answer.reason, "failed") << answer.detail;
}

// The real systemctl: where no systemd runs, and with a real manager of the user's, started here in
// a mount namespace that makes it believe that the machine was booted with systemd.
Verdict systemd_verdict_of(const Authority& authority) {
  const Answer answer = ask(question_for(authority).value(), seconds(60));
  if (!answer.told) std::fprintf(stderr, "%s\n", answer.detail.c_str());
  return judge(authority, "s", &answer);
}

TEST(RealSystemd, WithoutAManagerNothingIsTold) {
  if (!engines_sh("command -v systemctl >/dev/null")) GTEST_SKIP() << "there is no systemctl";
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
    while (!engines_sh("systemctl --user show-environment >/dev/null 2>&1")) {
      if (::waitpid(pid_, nullptr, WNOHANG) == pid_) {
        pid_ = 0;
        GTEST_SKIP() << "no manager of systemd can be started here";
      }
    }
  }
  void TearDown() override {
    if (pid_ > 0) {
      engines_sh("systemctl --user stop hf-test.service >/dev/null 2>&1");
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
  ASSERT_TRUE(engines_sh("systemctl --user daemon-reload"));
  EXPECT_EQ(systemd_verdict_of(unit).reason, "listed");  // never started: only a file
  ASSERT_TRUE(engines_sh("systemctl --user start hf-test"));
  EXPECT_EQ(systemd_verdict_of(unit).reason, "listed");
  std::filesystem::remove(file);
  ASSERT_TRUE(engines_sh("systemctl --user daemon-reload"));
  EXPECT_EQ(systemd_verdict_of(unit).reason, "listed");  // it runs without its file
  const Question question = question_for(unit).value();
  const Answer answer = ask(question, seconds(60));
  EXPECT_EQ(confirm(question, answer, {unit}, seconds(60)).at(0).vouched, Vouched::kLive);
  ASSERT_TRUE(engines_sh("systemctl --user stop hf-test"));
  EXPECT_EQ(systemd_verdict_of(unit).reason, "not-listed");
  const Verdict denied = confirm(question, answer, {unit}, seconds(60)).at(0);
  EXPECT_EQ(denied.reason, "no-such-unit") << denied.detail;
}

// A real tmux, with a socket of its own.
class Tmux : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v tmux >/dev/null") != 0) GTEST_SKIP() << "there is no tmux";
    ::unsetenv("TMUX");
    ::setenv("TMUX_TMPDIR", temp_.path().c_str(), 1);
  }
  void TearDown() override {
    if (!IsSkipped()) run("kill-server 2>/dev/null");
    ::unsetenv("TMUX_TMPDIR");
  }
  static bool run(const std::string& words) {
    return std::system(("LC_ALL=C.UTF-8 tmux -f /dev/null " + words).c_str()) == 0;
  }
  static Verdict verdict_of(const Authority& authority) {
    const Answer answer = ask(question_for(authority).value(), seconds(20));
    return judge(authority, "the-session", &answer);
  }
  static Authority described(const std::string& id) {
    return describe({AuthorityKind::kTmux, id}).value();
  }

  testing::TempDir temp_;
};

TEST_F(Tmux, SessionsAreListedByNameAndId) {
  ASSERT_TRUE(run("new-session -d -s one 'sleep 1000'"));
  ASSERT_TRUE(run("new-session -d -s 'k\u00e4se 2' 'sleep 1000'"));
  ASSERT_TRUE(run("new-session -d -s a.b 'sleep 1000'"));
  const Authority one = described("one");
  EXPECT_EQ(one.full_id, "$0");
  EXPECT_TRUE(one.process.has_value());
  EXPECT_TRUE(one.endpoint.starts_with(temp_.path())) << one.endpoint;
  EXPECT_EQ(verdict_of(one).reason, "listed");
  EXPECT_EQ(verdict_of(described("k\u00e4se 2")).reason, "listed");
  EXPECT_EQ(verdict_of(described("a.b")).reason, "listed");
  EXPECT_EQ(verdict_of(described("$2")).reason, "listed");
  EXPECT_EQ(verdict_of(described("not yet")).reason, "not-listed");

  ASSERT_TRUE(run("rename-session -t one other"));
  EXPECT_EQ(verdict_of(one).reason, "listed");
  ASSERT_TRUE(run("kill-session -t other"));
  const Verdict gone = verdict_of(one);
  EXPECT_EQ(gone.reason, "not-listed");
  EXPECT_FALSE(gone.by_identity);
  EXPECT_TRUE(gone.to_confirm);
}

TEST_F(Tmux, TheServerDeniesEachSessionThatIsGoneAndNoOther) {
  ASSERT_TRUE(run("new-session -d -s stays 'sleep 1000'"));
  for (const char* name : {"one", "a.b", "k\u00e4se 2", "-x", "can't find session: stays"}) {
    const std::string quoted = "\"" + std::string(name) + "\"";
    ASSERT_TRUE(run("new-session -d -s " + quoted + " 'sleep 1000'")) << name;
    const Authority session = described(name);
    ASSERT_NE(session.full_id, "") << name;
    const Question question = question_for(session).value();
    const Answer answer = ask(question, seconds(60));
    const auto confirmed = [&] { return confirm(question, answer, {session}, seconds(60)).at(0); };
    EXPECT_EQ(confirmed().vouched, Vouched::kLive) << name;
    ASSERT_TRUE(run("kill-session -t '" + session.full_id + "'")) << name;
    const Verdict verdict = confirmed();
    EXPECT_EQ(verdict.reason, "no-such-session") << name << ": " << verdict.detail;
    EXPECT_TRUE(verdict.by_identity);
  }
}

TEST_F(Tmux, TheSocketThatIsRecordedIsAskedAndNotTheOneOfToday) {
  ASSERT_TRUE(run("new-session -d -s one 'sleep 1000'"));
  const Authority one = described("one");
  const testing::TempDir elsewhere;
  ::setenv("TMUX_TMPDIR", elsewhere.path().c_str(), 1);
  EXPECT_EQ(verdict_of(one).reason, "listed");
  ::setenv("TMUX_TMPDIR", temp_.path().c_str(), 1);
}

TEST_F(Tmux, AServerThatIsGoneIsProvenDeadAndItsSuccessorIsAnother) {
  ASSERT_TRUE(run("new-session -d -s one 'sleep 1000'"));
  const Authority one = described("one");
  ASSERT_TRUE(run("kill-server"));
  while (judge(one, "s", nullptr).vouched != Vouched::kDead) {
  }
  const Verdict gone = verdict_of(one);
  EXPECT_EQ(gone.vouched, Vouched::kDead) << gone.reason;
  EXPECT_TRUE(gone.by_identity);
  EXPECT_EQ(describe({AuthorityKind::kTmux, "one"}).error().code, ErrorCode::kCannotTell);

  ASSERT_TRUE(run("new-session -d -s other 'sleep 1000'"));
  EXPECT_TRUE(verdict_of(one).by_identity);
  EXPECT_NE(described("other").daemon, one.daemon);

  // One of the same name at the same socket may well work in the same directory.
  ASSERT_TRUE(run("new-session -d -s one 'sleep 1000'"));
  EXPECT_EQ(verdict_of(one).vouched, Vouched::kUnknown);
  EXPECT_EQ(verdict_of(one).reason, "other-daemon");
}

TEST_F(Tmux, WhileTheServerLivesAFailingClientIsNoDeath) {
  ASSERT_TRUE(run("new-session -d -s one 'sleep 1000'"));
  const Authority one = described("one");
  {
    const StandIn stand_in;
    stand_in.client("tmux", "echo 'no server running on /tmp/x' >&2; exit 1");
    const Verdict verdict = verdict_of(one);
    EXPECT_EQ(verdict.vouched, Vouched::kUnknown);
    EXPECT_EQ(verdict.reason, "failed");
  }
  {
    // Another process than the one that listens: what a server in another pid namespace says.
    const StandIn stand_in;
    stand_in.client("tmux", "echo \"1 " + one.endpoint + "\"");
    EXPECT_EQ(verdict_of(one).reason, "failed");
  }
  EXPECT_EQ(verdict_of(one).reason, "listed");
}

TEST_F(Tmux, AnEmptyServerHasNoSessionsAndSaysSo) {
  ASSERT_TRUE(run("start-server \\; set-option -g exit-empty off"));
  const Verdict verdict = verdict_of(described("one"));
  EXPECT_EQ(verdict.reason, "not-listed");
}

}  // namespace
}  // namespace holdfast::authority
