// SPDX-License-Identifier: Apache-2.0
//
// A real podman with a store of its own (tests/lib/podman.inc), and the real clients of engines
// that do not run here.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "authority/ask.h"
#include "authority/client_fixture.h"

namespace holdfast::authority {
namespace {

using std::chrono::seconds;

bool podman_sh(const std::string& line) { return std::system(line.c_str()) == 0; }

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
    return podman_sh(". " HF_PODMAN_INC "; podman_make " + where + " || { echo \"$podman_why\" >" +
                     temp_.path("why") + "; exit 1; }");
  }
  [[nodiscard]] std::string why() const {
    std::stringstream text;
    text << std::ifstream(temp_.path("why")).rdbuf();
    return text.str();
  }
  static void end(const std::string& where) {
    podman_sh(". " HF_PODMAN_INC "; podman_end " + where);
  }
  static void use(const std::string& where) {
    ::setenv("CONTAINERS_CONF", (where + "/containers.conf").c_str(), 1);
    ::setenv("CONTAINERS_STORAGE_CONF", (where + "/storage.conf").c_str(), 1);
  }
  static bool start(const std::string& name) {
    return podman_sh(". " HF_PODMAN_INC "; podman_start " + name);
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
  ASSERT_TRUE(podman_sh("podman stop -t 0 web >/dev/null"));
  EXPECT_EQ(verdict_of(web).reason, "listed");
  ASSERT_TRUE(podman_sh("podman rename web other"));
  EXPECT_EQ(verdict_of(web).reason, "listed");
  ASSERT_TRUE(podman_sh("podman rm other >/dev/null"));
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
  ASSERT_TRUE(podman_sh("sed 's#/static#/static2#; s#/tmp\"#/tmp2\"#' " + dir() +
                        "/containers.conf >" + dir() + "/second.conf"));
  ::setenv("CONTAINERS_CONF", (dir() + "/second.conf").c_str(), 1);
  EXPECT_EQ(verdict_of(web).reason, "listed");
}

TEST_F(RealPodman, AStoreThatWasReplacedAtItsPathIsAnother) {
  const Authority web = described("web");
  ASSERT_TRUE(podman_sh("mv " + dir() + "/root " + dir() + "/root-before"));
  EXPECT_EQ(verdict_of(web).vouched, Vouched::kUnknown);
  ASSERT_TRUE(
      podman_sh("rm -rf " + dir() + "/root && mv " + dir() + "/root-before " + dir() + "/root"));
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
  for (int tries = 0; tries < 500 && !podman_sh("podman version >/dev/null 2>&1"); ++tries) {
  }
  EXPECT_EQ(verdict_of(local).reason, "other-endpoint");
  const Authority remote = described("web");
  EXPECT_EQ(remote.endpoint, socket);
  EXPECT_EQ(verdict_of(remote).reason, "listed");
  ASSERT_TRUE(podman_sh("podman rm -f -t 0 web >/dev/null"));
  EXPECT_EQ(verdict_of(remote).reason, "not-listed");
  ::kill(service, SIGKILL);
  ::waitpid(service, nullptr, 0);
  EXPECT_EQ(verdict_of(remote).reason, "failed");
  ::unsetenv("CONTAINER_HOST");
  EXPECT_EQ(verdict_of(remote).reason, "other-endpoint");
}

TEST_F(RealPodman, ContainersOfAPodAreListedAndSoIsThePod) {
  if (!podman_sh("podman pod create --name pod --infra-image holdfast-test:1 "
                 "--infra-command '/bin/sleep 1000' >/dev/null") ||
      !podman_sh("podman run -d --pod pod --name web holdfast-test:1 sleep 1000 >/dev/null")) {
    GTEST_SKIP() << "no pod can be made here";
  }
  EXPECT_EQ(verdict_of(described("web")).reason, "listed");
  EXPECT_EQ(verdict_of(described("pod")).reason, "listed");
  podman_sh("podman pod rm -f -t 0 pod >/dev/null 2>&1");
}

TEST(RealDocker, WithoutADaemonTheRealClientHasToldNothing) {
  if (!podman_sh("command -v docker >/dev/null")) GTEST_SKIP() << "there is no docker";
  ::setenv("DOCKER_HOST", "unix:///nonexistent/docker.sock", 1);
  const Answer answer = ask({.kind = AuthorityKind::kDocker}, seconds(60));
  ::unsetenv("DOCKER_HOST");
  EXPECT_FALSE(answer.told);
  EXPECT_EQ(answer.reason, "failed") << answer.detail;
}

}  // namespace
}  // namespace holdfast::authority
