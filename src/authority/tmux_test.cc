// SPDX-License-Identifier: Apache-2.0
//
// A real tmux, with a socket of its own.
#include <gtest/gtest.h>

#include <cstdlib>

#include "authority/ask.h"
#include "authority/client_fixture.h"

namespace holdfast::authority {
namespace {

using std::chrono::seconds;

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
