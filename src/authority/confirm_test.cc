// SPDX-License-Identifier: Apache-2.0
//
// What counts as a denial, and what only looks like one. The clients are scripts that answer by id
// as the real ones do, or otherwise (the real podman is in tests/cli/gc_podman_*.sh).
#include <gtest/gtest.h>

#include "authority/ask.h"
#include "authority/client_fixture.h"

namespace holdfast::authority {
namespace {

using std::chrono::seconds;

// A docker without containers; `by_id` is what it does when it is asked for one.
void docker_by_id(const StandIn& stand_in, const std::string& by_id, const std::string& id = "D",
                  const std::string& root = "/var/lib/docker") {
  stand_in.file("info", R"({"ID":")" + id +
                            R"(","Containers":0,"ServerVersion":"28","DockerRootDir":")" + root +
                            R"(","IndexServerAddress":"https://index.docker.io/v1/"})" + "\n");
  stand_in.client("docker", R"(here=${0%/*}
[ "$1" = --context ] && shift 2
case $1 in
  context) echo '[{"Name":"here","Endpoints":{"docker":{"Host":"tcp://there:1"}}}]' ;;
  info) cat "$here/info" ;;
  container) for name; do :; done; )" +
                                by_id + R"( ;;
esac)");
}

Verdict confirmed(const Authority& authority) {
  const Question question = question_for(authority).value();
  const Answer answer = ask(question, seconds(20));
  const Verdict listed = judge(authority, "s", &answer);
  EXPECT_EQ(listed.reason, "not-listed");
  EXPECT_TRUE(listed.to_confirm);
  return confirm(question, answer, {authority}, seconds(20)).at(0);
}

TEST(Confirm, DockerDeniesInItsOwnWordsOnly) {
  const StandIn stand_in;
  docker_by_id(stand_in, "exit 9");
  const Authority web = describe({AuthorityKind::kDocker, "web"}).value();
  for (
      const char* denial :
      {R"(echo; echo "Error response from daemon: No such container: $name" >&2; exit 1)",
       R"(echo; echo "Error: No such container: $name" >&2; exit 1)",
       R"(echo; echo "Error response from daemon: no container with name or ID \"$name\" found: no such container" >&2; exit 1)"}) {
    docker_by_id(stand_in, denial);
    const Verdict verdict = confirmed(web);
    EXPECT_EQ(verdict.vouched, Vouched::kDead) << denial;
    EXPECT_EQ(verdict.reason, "no-such-container") << denial;
    EXPECT_TRUE(verdict.by_identity);
  }
  for (const char* other :
       {"exit 1", "echo; exit 1", "exit 0x", "kill -9 $$", "echo garbage; exit 1",
        R"(echo "Error: No such container: $name" >&2; exit 2)",
        R"(echo "Error: No such container: other" >&2; exit 1)",
        R"(echo "Error: No such container: $name"; echo more; exit 1)",
        R"(echo "Error: No such object: $name" >&2; exit 1)",
        R"(echo "Cannot connect: No such container: $name" >&2; exit 1)",
        R"(echo "Error: No such container: $name and more" >&2; exit 1)"}) {
    docker_by_id(stand_in, other);
    EXPECT_EQ(confirmed(web).reason, "failed") << other;
  }
  docker_by_id(stand_in, "echo something; exit 0");
  EXPECT_EQ(confirmed(web).vouched, Vouched::kLive);
}

TEST(Confirm, AnotherStoreIsAnotherDaemonAlsoBetweenTheListAndTheQuestion) {
  const StandIn stand_in;
  const std::string deny = R"(echo "Error: No such container: $name" >&2; exit 1)";
  docker_by_id(stand_in, deny);
  const Authority web = describe({AuthorityKind::kDocker, "web"}).value();
  EXPECT_EQ(web.daemon, "D root /var/lib/docker");
  docker_by_id(stand_in, deny, "D", "/srv/docker");
  const Answer answer = ask(question_for(web).value(), seconds(20));
  EXPECT_EQ(judge(web, "s", &answer).reason, "other-daemon");

  stand_in.file("switched", R"({"ID":"E","Containers":0,"ServerVersion":"28"})");
  docker_by_id(stand_in, R"(mv "$here/switched" "$here/info"; )" + deny);
  EXPECT_EQ(confirmed(web).reason, "other-daemon");
}

TEST(Confirm, ARecordOf01WithoutTheStoreIsStillTheSameDaemonAndIsBraked) {
  const StandIn stand_in;
  docker_by_id(stand_in, "exit 9");
  Authority web = describe({AuthorityKind::kDocker, "web"}).value();
  web.daemon = "D";
  const Answer answer = ask(question_for(web).value(), seconds(20));
  const Verdict verdict = judge(web, "s", &answer);
  EXPECT_EQ(verdict.reason, "not-listed");
  EXPECT_FALSE(verdict.to_confirm);
}

// An id of the form of old daemons is kept beside their configuration, and this store is not seen.
TEST(Confirm, AnIdThatIsKeptOutsideOfTheStoreIsNoProof) {
  const StandIn stand_in;
  docker_by_id(stand_in, "exit 9", "AAAA:BBBB");
  const Authority web = describe({AuthorityKind::kDocker, "web"}).value();
  const Answer answer = ask(question_for(web).value(), seconds(20));
  EXPECT_FALSE(judge(web, "s", &answer).to_confirm);
}

TEST(Confirm, SystemdSaysNotFoundAndNothingElseIsADenial) {
  const StandIn stand_in;
  const auto systemctl = [&](const std::string& show) {
    stand_in.client("systemctl", R"(case "$*" in
  *list-unit-files*) echo '[]' ;;
  *list-units*) echo '[{"unit":"-.slice","load":"loaded","active":"active"}]' ;;
  *) )" + show + R"( ;;
esac)");
  };
  systemctl("exit 1");
  const Authority job = describe({AuthorityKind::kSystemd, "user:job"}).value();
  EXPECT_EQ(confirmed(job).reason, "failed");
  systemctl("echo garbage");
  EXPECT_EQ(confirmed(job).reason, "garbled");
  systemctl("echo LoadState=not-found");
  EXPECT_EQ(confirmed(job).reason, "garbled");
  systemctl("echo LoadState=masked; echo ActiveState=inactive");
  EXPECT_EQ(confirmed(job).vouched, Vouched::kLive);
  systemctl("echo LoadState=not-found; echo ActiveState=active");
  EXPECT_EQ(confirmed(job).vouched, Vouched::kLive);
  systemctl("echo LoadState=not-found; echo ActiveState=inactive");
  EXPECT_EQ(confirmed(job).reason, "no-such-unit");
}

}  // namespace
}  // namespace holdfast::authority
