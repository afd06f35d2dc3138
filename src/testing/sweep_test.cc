// SPDX-License-Identifier: Apache-2.0
//
// The sweeps themselves: that they reach what they promise to reach.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <set>

#include "os/dir/dir.h"
#include "testing/crash_sweep.h"
#include "testing/fault_sweep.h"
#include "testing/temp_dir.h"

namespace holdfast::testing {
namespace {

using os::operator""_name;

class Sweep : public ::testing::Test {
 protected:
  [[nodiscard]] const os::Dir& dir() const { return tmp_.dir(); }
  void make(os::NameLiteral name) { EXPECT_TRUE(dir().make_dir(name, 0700)); }
  TempDir tmp_;
};

TEST_F(Sweep, ShortReadsAreAmongTheCases) {
  std::set<std::string> shortened;
  fault_sweep({.prepare =
                   [&] {
                     tmp_.clear();
                     auto file = dir().create_file("f"_name, 0600);
                     EXPECT_TRUE((*file)->write_all("0123456789"));
                   },
               .body =
                   [&] {
                     auto file = dir().open_file("f"_name, os::Access::kRead);
                     if (!file || !*file) return false;
                     const auto at = (*file)->read_at(2, 5);
                     const auto all = (*file)->read_all(100);
                     return at && *at == "23456" && all && *all == "0123456789";
                   },
               .check =
                   [&](const SweepCase& fault, bool) {
                     if (fault.os_code == 0) shortened.insert(fault.call);
                   }});
  EXPECT_EQ(shortened, (std::set<std::string>{"pread", "read"}));
}

TEST_F(Sweep, SecondFaultsReachCleanUpThatNoUndisturbedRunMakes) {
  std::set<std::string> doubled;
  bool left_behind = false;
  const FaultSweep once{.prepare = [&] { tmp_.clear(); },
                        .body = [&] { return dir().make_dir("d"_name, 0700).has_value(); },
                        .check =
                            [&](const SweepCase& fault, bool succeeded) {
                              if (!fault.second_call.empty()) doubled.insert(fault.second_call);
                              left_behind =
                                  left_behind || (!succeeded && dir().info("d"_name).value());
                            }};
  const std::size_t single = fault_sweep(once);
  EXPECT_TRUE(doubled.empty());
  EXPECT_FALSE(left_behind);
  FaultSweep twice = once;
  twice.second_faults = true;
  EXPECT_GT(fault_sweep(twice), single);
  EXPECT_TRUE(doubled.contains("unlinkat"));
  EXPECT_TRUE(doubled.contains("fchmodat"));
  EXPECT_TRUE(left_behind) << "a clean-up that fails leaves something, and the check sees it";
}

TEST_F(Sweep, ACrashSweepStrikesItsOwnProcessAndNoOther) {
  const std::size_t mutations = crash_sweep({
      .prepare = [&] { tmp_.clear(); },
      .body =
          [&] {
            const pid_t other = ::fork();
            if (other == 0) {
              make("other1"_name);
              make("other2"_name);
              ::_exit(0);
            }
            ::waitpid(other, nullptr, 0);
            make("own"_name);
          },
      .recover =
          [&](std::size_t died_before) {
            EXPECT_TRUE(dir().info("other1"_name).value());
            EXPECT_TRUE(dir().info("other2"_name).value());
            EXPECT_EQ(dir().info("own"_name).value().has_value(), died_before == 0);
          },
  });
  EXPECT_EQ(mutations, 1U);
}

// What a sweep reports when `body` is swept, without failing this test.
int failures_of(const std::function<void()>& body) {
  ::testing::TestPartResultArray results;
  {
    const ::testing::ScopedFakeTestPartResultReporter reporter(
        ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    body();
  }
  int failures = 0;
  for (int i = 0; i < results.size(); ++i)
    failures += results.GetTestPartResult(i).failed() ? 1 : 0;
  return failures;
}

TEST_F(Sweep, ABodyThatEndsByItselfHasNotFinished) {
  EXPECT_GT(failures_of([&] {
              crash_sweep({.prepare = [] {},
                           .body = [] { ::kill(::getpid(), SIGKILL); },
                           .recover = [](std::size_t) {}});
            }),
            0);
}

// In a process that may not fork, every check would be left out.
TEST_F(Sweep, AForkThatFailsIsAFailure) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const rlimit none{.rlim_cur = 0, .rlim_max = 0};
    if (::setrlimit(RLIMIT_NPROC, &none) != 0) ::_exit(2);
    if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) ::_exit(3);
    const auto sweep = [] {
      crash_sweep({.prepare = [] {}, .body = [] {}, .recover = [](std::size_t) {}});
    };
    ::_exit(failures_of(sweep) > 0 ? 0 : 4);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "exit code " << WEXITSTATUS(status);
}

}  // namespace
}  // namespace holdfast::testing
