// SPDX-License-Identifier: Apache-2.0
//
// Every client that fails in every way: nothing of it is an answer. The clients are scripts.
#include <gtest/gtest.h>

#include "authority/ask.h"
#include "authority/client_fixture.h"

namespace holdfast::authority {
namespace {

using std::chrono::seconds;

struct Engine {
  AuthorityKind kind;
  std::string client;
  std::string endpoint;
};
const std::vector<Engine> kEngines{{AuthorityKind::kPodman, "podman", "local"},
                                   {AuthorityKind::kDocker, "docker", "unix:///s"},
                                   {AuthorityKind::kSystemd, "systemctl", "system"},
                                   {AuthorityKind::kSystemd, "systemctl", "user"},
                                   {AuthorityKind::kTmux, "tmux", "/tmp/no-such-socket"}};

Answer ask_it(const Engine& engine, Duration timeout = seconds(20)) {
  return ask({.kind = engine.kind, .endpoint = engine.endpoint}, timeout);
}

struct Fault {
  std::string body;
  std::string reason;
};

TEST(EngineFaults, AClientThatFailsHasToldNothing) {
  const StandIn stand_in;
  const std::vector<Fault> faults{{"exit 125", "failed"},
                                  {"echo '[]'; exit 1", "failed"},
                                  {"kill -9 $$", "failed"},
                                  {"echo '[]'; kill -9 $$", "failed"},
                                  {"", "garbled"},
                                  {"echo", "garbled"},
                                  {"echo garbage", "garbled"},
                                  {"echo '{}'", "garbled"},
                                  {"echo '[{}]'", "garbled"},
                                  {"echo '[1,'", "garbled"},
                                  {"echo 'null'", "garbled"},
                                  {"printf '[]\\0[]\\n'", "garbled"}};
  for (const Engine& engine : kEngines) {
    for (const Fault& fault : faults) {
      stand_in.client(engine.client, fault.body);
      const Answer answer = ask_it(engine);
      EXPECT_FALSE(answer.told) << engine.client << ": " << fault.body;
      EXPECT_EQ(answer.reason, fault.reason)
          << engine.client << ": " << fault.body << ": " << answer.detail;
      EXPECT_NE(answer.detail, "");
    }
  }
}

TEST(EngineFaults, AClientThatHangsIsEnded) {
  const StandIn stand_in;
  for (const Engine& engine : kEngines) {
    stand_in.client(engine.client, "exec sleep 1000");
    EXPECT_EQ(ask_it(engine, std::chrono::milliseconds(200)).reason, "timed-out") << engine.client;
  }
}

TEST(EngineFaults, AMissingClientIsNamed) {
  const StandIn nothing(/*only=*/true);
  for (const Engine& engine : kEngines) {
    const Answer answer = ask_it(engine);
    EXPECT_EQ(answer.reason, "no-client");
    EXPECT_NE(answer.detail.find(engine.client), std::string::npos) << answer.detail;
    EXPECT_EQ(describe({engine.kind, "x"}).error().cause, "no-client");
    EXPECT_EQ(describe({engine.kind, "x"}).error().code, ErrorCode::kCannotTell);
  }
}

// ---- docker: a script that answers as the client of a daemon does ------------------------------

const std::string kOne(64, '1');
const std::string kTwo(64, '2');

// As docker 28 prints them; `info` and `ps` are what its daemon would say.
void docker(const StandIn& stand_in, const std::string& info, const std::string& ps) {
  stand_in.file("info", info);
  stand_in.file("ps", ps);
  stand_in.client("docker", R"(here=${0%/*}
[ "$1" = --context ] && { [ "$2" = here ] || exit 1; shift 2; }
case $1 in
  context) echo '[{"Name":"here","Metadata":{},"Endpoints":{"docker":{"Host":"unix:///s","SkipTLSVerify":false}}}]' ;;
  info) cat "$here/info" ;;
  ps) cat "$here/ps" ;;
esac)");
}

std::string info_of(const std::string& id, int containers, const std::string& more = {}) {
  return R"({"ID":")" + id + R"(","Containers":)" + std::to_string(containers) +
         R"(,"ServerVersion":"28.2.2")" + more + "}\n";
}
std::string line_of(const std::string& id, const std::string& names) {
  return R"({"Command":"\"sleep\"","ID":")" + id + R"(","Names":")" + names +
         R"(","State":"exited"})" + "\n";
}

TEST(Docker, ListsWhatExistsAndKnowsItsDaemon) {
  const StandIn stand_in;
  docker(stand_in, info_of("D", 2), line_of(kOne, "web") + line_of(kTwo, "db,web/db"));
  const Authority web = describe({AuthorityKind::kDocker, "web"}).value();
  EXPECT_EQ(web.daemon, "D");
  EXPECT_EQ(web.endpoint, "unix:///s");
  EXPECT_EQ(web.full_id, kOne);
  EXPECT_EQ(describe({AuthorityKind::kDocker, "222"}).value().full_id, kTwo);

  const auto judged = [&] {
    const Answer answer = ask(question_for(web).value(), seconds(20));
    return judge(web, "s", &answer).reason;
  };
  EXPECT_EQ(judged(), "listed");
  docker(stand_in, info_of("D", 1), line_of(kTwo, "db"));
  EXPECT_EQ(judged(), "not-listed");
  docker(stand_in, info_of("D", 0), "");
  EXPECT_EQ(judged(), "not-listed");
  docker(stand_in, info_of("E", 0), "");
  EXPECT_EQ(judged(), "other-daemon");
}

TEST(Docker, HalfAnAnswerIsNone) {
  const StandIn stand_in;
  const auto reason = [] { return ask({.kind = AuthorityKind::kDocker}, seconds(20)).reason; };
  docker(stand_in, info_of("D", 2), line_of(kOne, "web"));  // the list is not whole
  EXPECT_EQ(reason(), "control-missing");
  docker(stand_in, info_of("D", 2), "");
  EXPECT_EQ(reason(), "control-missing");
  docker(stand_in, info_of("", 0), "");  // the client's own half of it
  EXPECT_EQ(reason(), "failed");
  docker(stand_in, info_of("D", 0, R"(,"ServerErrors":["cannot connect"])"), "");
  EXPECT_EQ(reason(), "failed");
  std::string cut = line_of(kOne, "web");
  cut.pop_back();
  docker(stand_in, info_of("D", 1), cut);
  EXPECT_EQ(reason(), "garbled");
  docker(stand_in, info_of("D", 1), line_of("123", "web"));  // ids that were cut
  EXPECT_EQ(reason(), "garbled");
}

// ---- systemd: a script that answers as systemctl of a running manager does ----------------------

void systemctl(const StandIn& stand_in, const std::string& units, const std::string& files) {
  stand_in.file("list-units", units);
  stand_in.file("list-unit-files", files);
  stand_in.client("systemctl", R"(here=${0%/*}
for word; do verb=$word; done
exec cat "$here/$verb")");
}

std::string unit(const std::string& name, const std::string& load = "loaded",
                 const std::string& active = "inactive") {
  return R"({"unit":")" + name + R"(","load":")" + load + R"(","active":")" + active +
         R"(","sub":"dead","description":"x"})";
}

TEST(Systemd, AUnitExistsInMemoryOrAsAFile) {
  const StandIn stand_in;
  systemctl(stand_in,
            "[" + unit("-.slice", "loaded", "active") + "," + unit("a.service") + "," +
                unit("ghost.service", "not-found") + "," +
                unit("fileless.service", "not-found", "active") + "]",
            R"([{"unit_file":"b.service","state":"disabled","preset":"enabled"},)"
            R"({"unit_file":"a.service","state":"static","preset":null}])");
  const auto judged = [](const std::string& id) {
    const Authority authority = describe({AuthorityKind::kSystemd, id}).value();
    const Answer answer = ask(question_for(authority).value(), seconds(20));
    return judge(authority, "s", &answer).reason;
  };
  EXPECT_EQ(judged("a"), "listed");
  EXPECT_EQ(judged("b.service"), "listed");
  EXPECT_EQ(judged("user:b"), "listed");
  EXPECT_EQ(judged("fileless"), "listed");
  EXPECT_EQ(judged("ghost"), "not-listed");
  EXPECT_EQ(judged("c"), "not-listed");
  EXPECT_EQ(describe({AuthorityKind::kSystemd, "a"}).value().full_id, "a.service");
}

TEST(Systemd, TheTwoManagersAreNotTakenForEachOther) {
  const StandIn stand_in;
  systemctl(stand_in, "[" + unit("-.slice") + "]", "[]");
  const Authority own = describe({AuthorityKind::kSystemd, "user:x"}).value();
  Question question = question_for(own).value();
  question.endpoint = "system";
  const Answer answer = ask(question, seconds(20));
  EXPECT_EQ(judge(own, "s", &answer).reason, "other-endpoint");
}

TEST(Systemd, WithoutItsRootSliceNoListIsBelieved) {
  const StandIn stand_in;
  systemctl(stand_in, "[]", "[]");
  EXPECT_EQ(ask({.kind = AuthorityKind::kSystemd}, seconds(20)).reason, "control-missing");
}

// ---- podman: shapes that a real one does not give on request ------------------------------------

TEST(Podman, AListThatIsNotWholeIsAskedForAgainAndThenNotBelieved) {
  const StandIn stand_in;
  stand_in.client("podman", R"sh(here=${0%/*}
echo x >>"$here/calls"
case $1 in
  info) echo '{"host":{"serviceIsRemote":false},"store":{"graphRoot":"/","runRoot":"/run","containerStore":{"number":1}}}' ;;
  ps) if [ "$(wc -l <"$here/calls")" -lt "$(cat "$here/whole-after")" ]; then echo '[]'; else cat "$here/one"; fi ;;
esac)sh");
  stand_in.file("one", R"([{"Id":")" + kOne + R"(","Names":["web"],"State":"running"}])");
  stand_in.file("whole-after", "4");
  EXPECT_TRUE(ask({.kind = AuthorityKind::kPodman}, seconds(20)).told);
  stand_in.file("calls", "");
  stand_in.file("whole-after", "1000");
  EXPECT_EQ(ask({.kind = AuthorityKind::kPodman}, seconds(20)).reason, "control-missing");
}

}  // namespace
}  // namespace holdfast::authority
