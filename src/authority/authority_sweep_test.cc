// SPDX-License-Identifier: Apache-2.0
//
// Whatever call of ours fails while somebody is asked, in this process or in the one that ends the
// client: who is listed is never found to be missing. (What a run calls depends on when the client
// writes and ends, so calls are counted and not named, until a run has fewer.)
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

#include "authority/ask.h"
#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::authority {
namespace {

using std::chrono::seconds;

class FailOne final : public testing::CallHook {
 public:
  enum class In : std::uint8_t { kHere, kShim };
  FailOne(In in, int at, int os_code) : in_(in), at_(at), os_code_(os_code) {}
  testing::Fate before(const testing::CallSite& call) override {
    // Calls that cannot fail, and the clock, without which the program ends.
    constexpr std::array kNever{"exit_process", "clock_gettime", "getpid", "geteuid", "umask"};
    if (std::ranges::find(kNever, call.name) != kNever.end()) return {};
    const pid_t process = in_ == In::kHere ? ::getpid() : ::getppid();
    if (process != asker_ || ++seen_ != at_) return {};
    return {.kind = testing::Fate::Kind::kFail, .os_code = os_code_};
  }
  [[nodiscard]] bool fired() const { return seen_ >= at_; }  // here

 private:
  In in_;
  int at_;
  int os_code_;
  int seen_ = 0;
  pid_t asker_ = ::getpid();
};

// Returns the number of runs that told nothing.
int sweep(const Authority& authority, const Question& question, FailOne::In in, int runs) {
  int unknown = 0;
  for (const int os_code : {EIO, EMFILE, EINTR}) {
    for (int at = 1; at <= runs; ++at) {
      FailOne hook(in, at, os_code);
      Answer answer;
      Verdict verdict;
      {
        const testing::ScopedCallHook scope(hook);
        answer = ask(question, seconds(60));
        verdict = judge(authority, "the-session", &answer);
      }
      EXPECT_NE(verdict.vouched, Vouched::kDead)
          << "call " << at << " fails with " << os_code << ": " << verdict.reason;
      if (verdict.vouched == Vouched::kUnknown) ++unknown;
      if (in == FailOne::In::kHere && !hook.fired()) break;
    }
  }
  return unknown;
}

TEST(AuthoritySweep, NoFailingCallMakesADeathOfWhatACommandLists) {
  const Authority authority = describe({AuthorityKind::kCommand, "a"}).value();
  const Question question{.kind = AuthorityKind::kCommand, .command = "echo a"};
  EXPECT_GT(sweep(authority, question, FailOne::In::kHere, 1000), 20);
  EXPECT_GT(sweep(authority, question, FailOne::In::kShim, 60), 5);
}

TEST(AuthoritySweep, NoFailingCallMakesADeathOfASessionOfTmux) {
  if (std::system("command -v tmux >/dev/null") != 0) GTEST_SKIP() << "there is no tmux";
  const testing::TempDir temp;
  ::unsetenv("TMUX");
  ::setenv("TMUX_TMPDIR", temp.path().c_str(), 1);
  ASSERT_EQ(std::system("tmux -f /dev/null new-session -d -s a 'sleep 1000'"), 0);
  const auto authority = describe({AuthorityKind::kTmux, "a"});
  EXPECT_TRUE(authority);
  if (authority) {
    EXPECT_GT(sweep(*authority, question_for(*authority).value(), FailOne::In::kHere, 1000), 20);
  }
  EXPECT_EQ(std::system("tmux kill-server"), 0);
  ::unsetenv("TMUX_TMPDIR");
}

}  // namespace
}  // namespace holdfast::authority
