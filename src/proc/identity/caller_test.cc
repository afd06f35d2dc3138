// SPDX-License-Identifier: Apache-2.0
//
// Real shells call this very program, with OwnerProbe alone, which leaves its answer in a file.
#include "proc/identity/caller.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>

#include <array>
#include <cstdlib>
#include <fstream>

#include "proc/identity/process_fixture.h"
#include "proc/tree/process_table.h"
#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::proc {
namespace {

TEST(OwnerProbe, AnswersWithAnAncestorThatHasExecdOrWithNobody) {
  const auto owner = calling_owner();
  std::string answer;
  if (owner) {
    const auto facts = read_process(owner->identity.pid);
    ASSERT_TRUE(facts && *facts);
    EXPECT_FALSE((*facts)->forked_only);
    answer = std::to_string(os::number(owner->identity.pid));
  } else {
    EXPECT_EQ(owner.error().code, ErrorCode::kUsage);
    EXPECT_NE(owner.error().detail.find("--owner $$"), std::string::npos);
    answer = owner.error().cause;
  }
  const char* const file = std::getenv("HF_OWNER_ANSWER");
  if (file != nullptr) std::ofstream(file) << answer;
}

class OwnerTest : public ::testing::Test {
 protected:
  OwnerTest() {
    std::array<char, 4096> self{};
    const ssize_t size = ::readlink("/proc/self/exe", self.data(), self.size() - 1);
    const std::string program(self.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    ::setenv("PROBE", program.c_str(), 1);
    ::setenv("HF_OWNER_ANSWER", tmp_.path("answer").c_str(), 1);
    ::setenv("HF_OWNER_SHELL", tmp_.path("shell").c_str(), 1);
  }
  ~OwnerTest() override {
    for (const char* name : {"PROBE", "HF_OWNER_ANSWER", "HF_OWNER_SHELL"}) ::unsetenv(name);
  }

  // Never returns. The shell leaves its own number in a file; `probe` calls this program.
  [[noreturn]] static void become_shell(const char* shell, const std::string& script) {
    const std::string whole =
        "probe() { \"$PROBE\" --gtest_filter='OwnerProbe.*' >/dev/null; }\n"
        "echo $$ >\"$HF_OWNER_SHELL\"\n" +
        script;
    ::execlp(shell, shell, "-c", whole.c_str(), nullptr);
    ::_exit(kCannotTry);
  }
  static int run(const char* shell, const std::string& script) {
    return in_child([&]() -> int { become_shell(shell, script); });
  }
  [[nodiscard]] std::string text_of(const char* name) const {
    std::string text;
    std::ifstream(tmp_.path(name)) >> text;
    return text;
  }

  testing::TempDir tmp_;
};

TEST_F(OwnerTest, IsTheShellThroughAnySubshell) {
  for (const char* shell : {"bash", "dash"}) {
    if (run(shell, ":") != 0) GTEST_SKIP() << "no " << shell << " here";
    for (const char* script : {
             "probe; :",
             "t=$(probe); :",
             "t=$(probe || echo no); :",
             "t=$( ( ( probe; : ); : ); : ); :",
             "probe | cat; :",
             "( probe; : ) & wait",
             "t=`probe; :`; :",
             "if probe; then :; fi",
         }) {
      SCOPED_TRACE(std::string(shell) + ": " + script);
      EXPECT_EQ(run(shell, script), 0);
      EXPECT_FALSE(text_of("shell").empty());
      EXPECT_EQ(text_of("answer"), text_of("shell"));
    }
  }
}

TEST_F(OwnerTest, IsTheNearestProgramAndNotTheOneAboveIt) {
  EXPECT_EQ(run("sh",
                "sh -c 'echo $$ >\"$HF_OWNER_SHELL\"; t=$(\"$PROBE\" "
                "--gtest_filter=OwnerProbe.*); :' >/dev/null; :"),
            0);
  EXPECT_EQ(text_of("answer"), text_of("shell"));
}

TEST_F(OwnerTest, IsTheShellThatLeadsASessionOfItsOwn) {
  EXPECT_EQ(in_child([]() -> int {
              ::setsid();
              become_shell("sh", "t=$(probe); :");
            }),
            0);
  EXPECT_EQ(text_of("answer"), text_of("shell"));
}

TEST_F(OwnerTest, IsTheShellOfACallerThatLeadsASessionOfItsOwn) {
  if (run("sh", "setsid true") != 0) GTEST_SKIP() << "no setsid(1) here";
  EXPECT_EQ(run("sh", "setsid \"$PROBE\" --gtest_filter='OwnerProbe.*' >/dev/null; :"), 0);
  EXPECT_EQ(text_of("answer"), text_of("shell"));
}

// The shell is gone, and its subshell has gone to a reaper of another session.
TEST_F(OwnerTest, IsNotTheReaperThatAdoptedAnOrphan) {
  EXPECT_EQ(in_child([] {
              ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
              int ends[2];
              if (::pipe(ends) != 0) return 1;
              const pid_t shell = ::fork();
              if (shell == 0) {
                ::setsid();
                ::dup2(ends[0], 3);
                become_shell("sh", "( read line <&3; probe; : ) & :");
              }
              if (::waitpid(shell, nullptr, 0) != shell) return 2;
              if (::write(ends[1], "go\n", 3) != 3) return 3;
              int status = 0;
              return ::waitpid(-1, &status, 0) > 0 ? status : 4;
            }),
            0);
  EXPECT_EQ(text_of("answer"), "no-owner");
}

TEST_F(OwnerTest, IsNotProcessOneButAShellBelowIt) {
  const int one = in_pid_namespace(Proc::kOwn, []() -> int { become_shell("sh", "probe; :"); });
  if (one == kCannotTry) GTEST_SKIP() << "no pid namespaces here";
  EXPECT_EQ(one, 0);
  EXPECT_EQ(text_of("shell"), "1");
  EXPECT_EQ(text_of("answer"), "no-owner");
  EXPECT_EQ(in_pid_namespace(
                Proc::kOwn,
                [] { return in_child([]() -> int { become_shell("sh", "t=$(probe); :"); }); }),
            0);
  EXPECT_EQ(text_of("answer"), text_of("shell"));
}

// Right before the parent is pinned it ends, and its number goes to a program that has nothing to
// do with the caller.
class ParentIsReplaced final : public testing::CallHook {
 public:
  testing::Fate before(const testing::CallSite& call) override {
    if (call.name != "pidfd_open" || stranger != 0) return {};
    const pid_t parent = ::getppid();
    ::kill(parent, SIGKILL);
    while (::kill(parent, 0) == 0) ::sched_yield();  // until process 1 has reaped it
    int ends[2];
    const std::string last = std::to_string(parent - 1);
    if (::pipe2(ends, O_CLOEXEC) != 0 || !write_text("/proc/sys/kernel/ns_last_pid", last)) {
      ::_exit(kCannotTry);
    }
    stranger = ::fork();
    if (stranger == 0) {
      ::execlp("sleep", "sleep", "60", nullptr);
      ::_exit(kCannotTry);
    }
    if (stranger != parent) ::_exit(50);
    ::close(ends[1]);
    char byte = 0;
    static_cast<void>(::read(ends[0], &byte, 1));  // its exec closes the other end
    ::close(ends[0]);
    return {};
  }
  pid_t stranger = 0;
};

TEST(Owner, IsNeverAStrangerThatGotTheParentsNumber) {
  const int code = in_pid_namespace(Proc::kOwn, [] {
    if (::fork() == 0) {  // the parent
      if (::fork() == 0) {
        ParentIsReplaced replaced;
        Result<Pinned> owner;
        {
          const testing::ScopedCallHook hook(replaced);
          owner = calling_owner();
        }
        ::kill(replaced.stranger, SIGKILL);
        if (replaced.stranger == 0) ::_exit(3);
        ::_exit(!owner && owner.error().cause == "no-owner" ? 0 : 4);
      }
      for (;;) ::pause();
    }
    int last = 0;
    for (int status = 0; ::waitpid(-1, &status, 0) > 0;) {
      if (WIFEXITED(status)) last = WEXITSTATUS(status);
    }
    return last;
  });
  if (code == kCannotTry) GTEST_SKIP() << "numbers cannot be chosen here";
  EXPECT_EQ(code, 0);
}

TEST(Owner, ByNumberIsThatProcessOrNobody) {
  WaitingChild child;
  const auto owner = owner_by_pid(child.pid());
  ASSERT_TRUE(owner);
  EXPECT_EQ(owner->identity, identity_of(child.pid()).value().value());
  const os::Pid pid = child.pid();
  child.kill();
  child.reap();
  for (const os::Pid nobody : {pid, os::Pid{0}, os::Pid{-5}}) {
    const auto none = owner_by_pid(nobody);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::kUsage);
    EXPECT_EQ(none.error().cause, "no-owner");
  }
}

}  // namespace
}  // namespace holdfast::proc
