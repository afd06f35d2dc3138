// SPDX-License-Identifier: Apache-2.0
#include "proc/tree/run_id_scan.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "os/machine/random.h"
#include "proc/kill/kill.h"
#include "proc/kill/kill_fixture.h"

namespace holdfast::proc {
namespace {

using namespace std::chrono_literals;
using namespace std::string_view_literals;

constexpr std::string_view kHex = "00112233445566778899aabbccddeeff";

TEST(RunIdIn, FindsTheVariableAndNothingLikeIt) {
  const auto id = parse_id128(kHex);
  EXPECT_EQ(run_id_in("A=1\0HOLDFAST_RUN=00112233445566778899aabbccddeeff\0B=2\0"sv), id);
  EXPECT_EQ(run_id_in("HOLDFAST_RUN=00112233445566778899aabbccddeeff"sv), id) << "cut short";
  for (const std::string_view other :
       {""sv, "\0\0"sv, "HOLDFAST_RUNS=00112233445566778899aabbccddeeff\0"sv,
        "XHOLDFAST_RUN=00112233445566778899aabbccddeeff\0"sv, "HOLDFAST_RUN\0"sv,
        "HOLDFAST_RUN=\0"sv, "HOLDFAST_RUN=0011\0"sv,
        "A=HOLDFAST_RUN=00112233445566778899aabbccddeeff\0"sv,
        "HOLDFAST_RUN=x\0HOLDFAST_RUN=00112233445566778899aabbccddeeff\0"sv}) {
    EXPECT_EQ(run_id_in(other), std::nullopt) << other;
  }
}

// A program with this environment that waits: exec'd, as only that shows in /proc.
class Sleeper {
 public:
  explicit Sleeper(const std::string& variable) {
    std::string entry = variable;
    std::string filler = "FILLER=" + std::string(20'000, 'x');  // more than one read
    pid_ = ::fork();
    if (pid_ != 0) return;
    run(filler, entry);
  }
  [[noreturn]] static void run(std::string& filler, std::string& entry) {
    char program[] = "/bin/sleep";
    char limit[] = "60";
    char* argv[] = {program, limit, nullptr};
    char* env[] = {filler.data(), entry.data(), nullptr};
    ::execve(program, argv, env);
    ::_exit(52);
  }
  ~Sleeper() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;
  [[nodiscard]] os::Pid pid() const { return os::Pid{pid_}; }
  // Until the program is there.
  void wait_for(const Id128& run) const {
    for (int i = 0; i < 1'000'000; ++i) {
      const auto id = run_id_of(pid());
      if (id && *id == run) return;
    }
    ADD_FAILURE() << "it never carried the id";
  }

 private:
  pid_t pid_ = -1;
};

TEST(RunIdScan, FindsWhoCarriesTheIdAndNobodyElse) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const Id128 run = os::random_id().value();
  const Id128 other = os::random_id().value();
  const Sleeper carrier("HOLDFAST_RUN=" + to_hex(run));
  const Sleeper stranger("HOLDFAST_RUN=" + to_hex(other));
  carrier.wait_for(run);
  stranger.wait_for(other);
  const auto scan = scan_run_id(run);
  ASSERT_TRUE(scan);
  ASSERT_EQ(scan->carriers.size(), 1U);
  EXPECT_EQ(scan->carriers[0].facts.pid, carrier.pid());
  EXPECT_TRUE(scan_run_id(os::random_id().value())->carriers.empty());
}

// The same program, whose parent has ended; pinned, as nobody here reaps it.
class Orphan {
 public:
  explicit Orphan(const Id128& run) {
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0) ::abort();
    const pid_t parent = ::fork();
    if (parent == 0) {
      ::setsid();
      const pid_t pid = ::fork();
      std::string filler = "FILLER=";
      std::string entry = "HOLDFAST_RUN=" + to_hex(run);
      if (pid == 0) Sleeper::run(filler, entry);
      ::_exit(::write(ends[1], &pid, sizeof pid) == sizeof pid ? 0 : 53);
    }
    pid_t pid = -1;
    if (::read(ends[0], &pid, sizeof pid) != sizeof pid) ::abort();
    ::close(ends[0]), ::close(ends[1]);
    pidfd_ = std::move(os::open_pidfd(os::Pid{pid}).value().value());
    ::waitpid(parent, nullptr, 0);
    for (int i = 0; i < 1'000'000; ++i) {
      const auto id = run_id_of(os::Pid{pid});
      if (id && *id == run) return;
    }
    ADD_FAILURE() << "it never carried the id";
  }
  ~Orphan() { (void)os::signal_pidfd(pidfd_, SIGKILL).has_value(); }
  Orphan(const Orphan&) = delete;
  Orphan& operator=(const Orphan&) = delete;
  [[nodiscard]] bool has_ended() const { return os::has_ended(pidfd_).value(); }

 private:
  os::Handle pidfd_;
};

TEST(RunIdScan, AKillOfATreeReachesAnOrphanThatCarriesTheId) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const Id128 run = os::random_id().value();
  WaitingChild leader;
  const Identity identity = identity_of_living(leader.pid());
  const Orphan orphan(run);
  RememberingSink sink;
  const auto report = kill_process(identity, {.tree = true, .grace = 5s, .run = run}, sink).value();
  EXPECT_EQ(report.outcome, KillOutcome::kUnproven);
  EXPECT_EQ(report.ended, 2U);
  EXPECT_TRUE(orphan.has_ended());
}

TEST(RunIdScan, ACarrierWhoseParentLivesIsNotOfItsBrothersTree) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const Id128 run = os::random_id().value();
  WaitingChild leader;
  const Identity identity = identity_of_living(leader.pid());
  const Sleeper brother("HOLDFAST_RUN=" + to_hex(run));
  brother.wait_for(run);
  RememberingSink sink;
  const auto report = kill_process(identity, {.tree = true, .grace = 5s, .run = run}, sink).value();
  EXPECT_EQ(report.outcome, KillOutcome::kUnproven);
  EXPECT_EQ(report.ended, 1U);
  EXPECT_TRUE(lives(brother.pid()));
}

TEST(RunIdScan, WhoIsOlderThanTheLeaderIsNotOfItsTree) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const Id128 run = os::random_id().value();
  const Sleeper carrier("HOLDFAST_RUN=" + to_hex(run));
  carrier.wait_for(run);
  WaitingChild leader;
  Identity later = identity_of_living(leader.pid());
  later.pidfs = 0;
  leader.kill();
  leader.reap();
  later.start += 100'000;  // of the dead leader only this much is compared
  RememberingSink sink;
  const auto report = kill_process(later, {.tree = true, .run = run}, sink).value();
  EXPECT_EQ(report.outcome, KillOutcome::kUnproven);
  EXPECT_FALSE(report.acted);
  EXPECT_TRUE(lives(carrier.pid()));
}

TEST(RunIdScan, ALeaderThatShowsAnotherRunIsAMismatch) {
  if (!os::pidfds_work()) GTEST_SKIP() << "no pidfds on this kernel";
  const Id128 run = os::random_id().value();
  const Sleeper leader("HOLDFAST_RUN=" + to_hex(run));
  leader.wait_for(run);
  RememberingSink sink;
  const auto report = kill_process(identity_of_living(leader.pid()),
                                   {.tree = true, .run = os::random_id().value()}, sink)
                          .value();
  EXPECT_EQ(report.outcome, KillOutcome::kMismatch);
  EXPECT_EQ(report.evidence, "other-run");
  EXPECT_TRUE(lives(leader.pid()));
}

}  // namespace
}  // namespace holdfast::proc
