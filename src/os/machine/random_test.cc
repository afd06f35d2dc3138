// SPDX-License-Identifier: Apache-2.0
#include "os/machine/random.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <set>
#include <thread>
#include <vector>

#include "testing/sys_swap_linux.h"

namespace holdfast::os {
namespace {

constexpr std::size_t kSome = 40;  // more than two blocks
using Ids = std::array<Id128, kSome>;

Ids draw() {
  Ids ids{};
  for (Id128& id : ids) id = random_token().value();
  return ids;
}

TEST(RandomBlock, NoTokenIsGivenOutTwiceInOneThread) {
  std::set<Id128> seen;
  for (int i = 0; i < 25; ++i) {
    for (const Id128& id : draw()) seen.insert(id);
  }
  EXPECT_EQ(seen.size(), 25 * kSome);
  EXPECT_FALSE(seen.contains(Id128{}));
}

TEST(RandomBlock, ThreadsGetDifferentOnes) {
  std::vector<Ids> all(4);
  std::vector<std::thread> threads;
  for (Ids& ids : all) threads.emplace_back([&ids] { ids = draw(); });
  for (std::thread& thread : threads) thread.join();
  std::set<Id128> seen;
  for (const Ids& ids : all) seen.insert(ids.begin(), ids.end());
  EXPECT_EQ(seen.size(), all.size() * kSome);
}

// The block of the parent has unused bytes at the moment of the fork.
TEST(RandomBlock, AForkDoesNotGiveOutWhatItsParentWill) {
  ASSERT_TRUE(random_token());
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const Ids ids = draw();
    ::_exit(::write(ends[1], ids.data(), sizeof ids) == sizeof ids ? 0 : 1);
  }
  const Ids mine = draw();
  Ids its{};
  EXPECT_EQ(::read(ends[0], its.data(), sizeof its), static_cast<ssize_t>(sizeof its));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  std::set<Id128> seen(mine.begin(), mine.end());
  seen.insert(its.begin(), its.end());
  EXPECT_EQ(seen.size(), 2 * kSome);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(RandomBlock, WithoutRandomnessThereIsNoToken) {
  const testing::MissingCalls missing{{"getrandom", ENOSYS}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  EXPECT_FALSE(random_token());
  EXPECT_FALSE(random_token()) << "the rest of a block that was never drawn";
}

}  // namespace
}  // namespace holdfast::os
