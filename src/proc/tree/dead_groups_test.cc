// SPDX-License-Identifier: Apache-2.0
#include "proc/tree/dead_groups.h"

#include <sys/wait.h>
#include <unistd.h>

#include "proc/tree/cgroup_fixture.h"

namespace holdfast::proc {
namespace {

class DeadGroups : public RealGroup {
 protected:
  [[nodiscard]] os::Dir top() const { return *os::Dir::open(tree_->parent().path()); }
  // A child makes it and is killed; or it ends by itself, which leaves no less.
  [[nodiscard]] Id128 made_by_the_dead() const {
    const Id128 run = *os::random_id();
    const pid_t child = ::fork();
    if (child == 0) ::_exit(CgroupTree::make(run) ? 0 : 1);
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    return run;
  }
  [[nodiscard]] bool there(const Id128& run) const {
    return *top().id_of(*os::SafeName::make(cgroup_name(run))) != std::nullopt;
  }
};

TEST_F(DeadGroups, OneGoesWhoseMakerIsDead) {
  const Id128 dead = made_by_the_dead();
  ASSERT_TRUE(there(dead));
  EXPECT_GE(remove_dead_groups(top()), 1U);
  EXPECT_FALSE(there(dead));
}

TEST_F(DeadGroups, OneStaysWhoseMakerLivesAlsoWhileNobodyIsInIt) {
  static_cast<void>(remove_dead_groups(top()));
  EXPECT_TRUE(there(run_));
}

TEST_F(DeadGroups, OneStaysThatSomebodyIsIn) {
  const Id128 dead = made_by_the_dead();
  os::SpawnRequest request{.argv = {"sleep", "600"}};
  const os::Dir group = *top().open_dir(*os::SafeName::make(cgroup_name(dead)));
  request.cgroup = group.native();
  auto member = os::spawn(request);
  ASSERT_TRUE(member);
  static_cast<void>(remove_dead_groups(top()));
  EXPECT_TRUE(there(dead));
  ASSERT_TRUE(member->child().signal(SIGKILL));
  ASSERT_TRUE(os::reap_child(member->child().pid));
  for (int i = 0; i < 1000 && there(dead); ++i) static_cast<void>(remove_dead_groups(top()));
  EXPECT_FALSE(there(dead));
}

TEST_F(DeadGroups, AnotherNameIsNobodysOfOurs) {
  const auto name = *os::SafeName::make("holdfast-not-of-a-run");
  const os::Dir parent = top();
  ASSERT_TRUE(parent.make_dir(name, 0755));
  static_cast<void>(remove_dead_groups(parent));
  EXPECT_TRUE(*parent.id_of(name));
  EXPECT_TRUE(parent.remove_dir(name));
}

}  // namespace
}  // namespace holdfast::proc
