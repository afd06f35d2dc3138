// SPDX-License-Identifier: Apache-2.0
#include "proc/identity/verdict.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/syscall.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "os/machine/namespaces.h"
#include "os/process/pidfd.h"
#include "proc/identity/process_fixture.h"
#include "proc/tree/process_table.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::proc {
namespace {

Identity of(os::Pid pid) { return identity_of(pid).value().value(); }

// Without the kernel's own number: told apart by the start time, as before Linux 6.9.
Identity verdict_by_start(Identity identity) {
  identity.pidfs = 0;
  return identity;
}

std::string word(const LifeVerdict& verdict) {
  constexpr const char* kNames[] = {"live", "dead", "unknown"};
  return std::string(kNames[static_cast<int>(verdict.life)]) + " " + verdict.evidence;
}
std::string word(const Identity& identity) { return word(judge(identity)); }

TEST(Verdict, ALiveProcessIsLiveAndPinned) {
  WaitingChild child;
  for (const Identity& identity : {of(child.pid()), verdict_by_start(of(child.pid()))}) {
    const LifeVerdict verdict = judge(identity);
    EXPECT_EQ(word(verdict), "live running");
    EXPECT_EQ(verdict.pidfd.valid(), os::pidfds_work());
  }
  EXPECT_EQ(word(own_identity().value()), "live running");
}

TEST(Verdict, AZombieIsDeadAndSoIsAReapedOne) {
  WaitingChild child;
  const Identity identity = of(child.pid());
  child.kill();
  child.wait_for_end();
  const char* const zombie = os::pidfds_work() ? "dead pidfd-ended" : "dead zombie";
  EXPECT_EQ(word(identity), zombie);
  EXPECT_EQ(word(verdict_by_start(identity)), zombie);
  child.reap();
  EXPECT_EQ(word(identity), "dead no-such-process");
}

TEST(Verdict, AProcessWhoseFirstThreadHasEndedIsLive) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    static int told;
    told = ends[1];
    pthread_t thread{};
    const auto stay = [](void*) -> void* {
      // This thread goes on alone: it says so when the first one is seen to have ended.
      while (read_process(os::own_pid()).value()->state != 'Z') ::sched_yield();
      if (::write(told, "r", 1) != 1) ::_exit(1);
      for (;;) ::pause();
    };
    if (::pthread_create(&thread, nullptr, stay, nullptr) != 0) ::_exit(1);
    ::syscall(SYS_exit, 0);  // of this thread alone; pthread_exit would unwind through the test
  }
  char byte = 0;
  ASSERT_EQ(::read(ends[0], &byte, 1), 1);
  const Identity identity = of(os::Pid{child});
  EXPECT_EQ(word(identity), "live running");
  EXPECT_EQ(word(verdict_by_start(identity)), "live running");
  {
    const testing::MissingCalls missing{{"pidfd_open", ENOSYS}};
    testing::OldKernel kernel(missing);
    const testing::ScopedCallHook hook(kernel);
    EXPECT_EQ(word(identity), "live running");
  }
  ::kill(child, SIGKILL);
  EXPECT_EQ(judge(identity, std::chrono::seconds(30)).life, Life::kDead);
  ::waitpid(child, nullptr, 0);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Verdict, ANumberThatHasGoneToAnotherIsDead) {
  WaitingChild child;
  Identity before = of(child.pid());
  before.start -= 1;
  if (before.pidfs != 0) before.pidfs -= 1;
  EXPECT_EQ(word(before), "dead recycled");
  EXPECT_EQ(word(verdict_by_start(before)), "dead recycled");
}

TEST(Verdict, ANumberThatIsAThreadsNowIsNotTheProcess) {
  std::thread([] {
    Identity identity = own_identity().value();
    identity.pid = os::Pid{::gettid()};
    identity.start -= 1;
    EXPECT_EQ(word(identity), "dead recycled");
  }).join();
}

TEST(Verdict, AfterAKillPatienceSeesTheEnd) {
  for (int round = 0; round < 100; ++round) {
    WaitingChild child;
    const Identity identity = of(child.pid());
    child.kill();
    const LifeVerdict verdict = judge(identity, std::chrono::seconds(30));
    EXPECT_EQ(verdict.life, Life::kDead) << verdict.evidence;
  }
}

TEST(Verdict, PatienceWithALiveProcessEnds) {
  WaitingChild child;
  EXPECT_EQ(word(judge(of(child.pid()), std::chrono::microseconds(1))), "live running");
}

TEST(Verdict, WithoutPidfdsTheAnswersAreTheSame) {
  const testing::MissingCalls missing{{"pidfd_open", ENOSYS}};
  WaitingChild child;
  const Identity identity = of(child.pid());
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  EXPECT_EQ(word(identity), "live running");
  Identity before = identity;
  before.start -= 1;
  EXPECT_EQ(word(before), "dead recycled");
  child.kill();
  EXPECT_EQ(word(judge(identity, std::chrono::seconds(30))), "dead zombie");
  child.reap();
  EXPECT_EQ(word(identity), "dead no-such-process");
}

TEST(Verdict, AnotherBootIsDeadOnlyIfItWasThisMachines) {
  Identity own = own_identity().value();
  own.machine.bytes[0] = 1;
  own.pidns = os::kInitialPidNamespace;
  Identity other = own;
  other.boot.bytes[3] ^= 1;
  const auto said = [&](const Identity& there, const Identity& here) {
    const auto verdict = judge_place(there, here);
    return verdict ? word(*verdict) : "here";
  };
  EXPECT_EQ(said(own, own), "here");
  EXPECT_EQ(said(other, own), "dead other-boot");
  Identity nameless = other;
  nameless.machine = {};
  EXPECT_EQ(said(nameless, own), "unknown other-boot-unproven");
  EXPECT_EQ(said(own, nameless), "unknown other-boot-unproven");
  Identity elsewhere = other;
  elsewhere.machine.bytes[0] = 2;
  EXPECT_EQ(said(elsewhere, own), "unknown other-host");
  Identity contained = other;  // its machine id is whatever the image holds
  contained.pidns = 4026532999;
  EXPECT_EQ(said(contained, own), "unknown other-boot-unproven");
  EXPECT_EQ(said(own, contained), "unknown other-boot-unproven");
  Identity blank = own;
  blank.boot = {};
  EXPECT_EQ(said(blank, blank), "unknown other-boot-unproven");
  // On one kernel the machine id says nothing: a container may have its own.
  Identity guest = own;
  guest.machine.bytes[0] = 2;
  EXPECT_EQ(said(guest, own), "here");
}

TEST(Verdict, ANumberThatNobodyCanHaveIsUnknown) {
  for (const int pid : {0, -1}) {
    Identity identity = own_identity().value();
    identity.pid = os::Pid{pid};
    EXPECT_EQ(word(identity), "unknown no-pid");
  }
}

// As with hidepid: one's own row is open, all others are closed or missing.
class VerdictWithHidePid final : public testing::CallHook {
 public:
  explicit VerdictWithHidePid(int os_code) : os_code_(os_code) {}
  testing::Fate before(const testing::CallSite& call) override {
    if (call.path.starts_with("/proc/") && !call.path.starts_with("/proc/s")) {
      return {.kind = testing::Fate::Kind::kFail, .os_code = os_code_};
    }
    if (call.name == "pidfd_open" && no_pidfds) {
      return {.kind = testing::Fate::Kind::kFail, .os_code = ENOSYS};
    }
    return {};
  }
  bool no_pidfds = false;

 private:
  int os_code_;
};

TEST(Verdict, AHiddenProcessIsNeverDead) {
  WaitingChild child;
  const Identity identity = of(child.pid());
  for (const int os_code : {ENOENT, EACCES, EPERM}) {
    VerdictWithHidePid hide(os_code);
    const testing::ScopedCallHook hook(hide);
    EXPECT_EQ(word(verdict_by_start(identity)), "unknown hidepid") << os_code;
    EXPECT_EQ(identity_of(child.pid()).error().cause, "hidepid") << os_code;
    const bool by_number = identity.pidfs != 0;
    EXPECT_EQ(word(identity), by_number ? "live running" : "unknown hidepid") << os_code;
    hide.no_pidfds = true;
    EXPECT_EQ(word(identity), "unknown hidepid") << os_code;
  }
}

TEST(Verdict, AHiddenProcessThatIsGoneIsDead) {
  WaitingChild child;
  const Identity identity = of(child.pid());
  child.kill();
  child.reap();
  VerdictWithHidePid hide(ENOENT);
  const testing::ScopedCallHook hook(hide);
  EXPECT_EQ(word(identity), "dead no-such-process");
  hide.no_pidfds = true;
  EXPECT_EQ(word(identity), "dead no-such-process");
}

TEST(Verdict, WithoutDescriptorsItIsUnknown) {
  WaitingChild child;
  const Identity identity = of(child.pid());
  const testing::MissingCalls missing{{"pidfd_open", EMFILE}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  EXPECT_EQ(word(identity), "unknown emfile");
}

}  // namespace
}  // namespace holdfast::proc
