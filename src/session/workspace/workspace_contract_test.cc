// SPDX-License-Identifier: Apache-2.0
#include "session/workspace/workspace.h"

#include "session/workspace/workspace_new_fixture.h"
#include "session/workspace/workspace_release.h"

namespace holdfast::session {
namespace {

using WorkspaceContract = NewWorkspaceFixture;

TEST_F(WorkspaceContract, OneMakerGetsTheNameAndTheRecordComesWithIt) {
  const auto made = make(order(), true);
  ASSERT_TRUE(made) << to_sentence(made.error());
  EXPECT_EQ(cause(make(order())), "name-taken");
  const auto record = read_workspace(store(), "web");
  ASSERT_TRUE(record) << to_sentence(record.error());
  ASSERT_TRUE(*record);
  EXPECT_EQ((*record)->id, made->record.id);
  EXPECT_TRUE(std::filesystem::exists(tmp_.path("home/sessions/web/sub/file")));
  for (const std::string& name : names_in("home/sessions")) EXPECT_FALSE(os::is_stage_name(name));
}

TEST_F(WorkspaceContract, WhoHoldsItKeepsOthersFromChangingIt) {
  ASSERT_TRUE(make(order()));
  const SessionStore sessions = store();
  {
    auto hold = WorkspaceHold::take(sessions, "web", Duration::zero());
    ASSERT_TRUE(hold) << to_sentence(hold.error());
    ASSERT_TRUE(*hold);
    const auto second = WorkspaceHold::take(sessions, "web", Duration::zero());
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().cause, "workspace-busy");
    WorkspaceRecord changed = (*hold)->record();
    changed.resume_id = "5b1c";
    ASSERT_TRUE((*hold)->write(changed, os::Durability::kFull));
  }
  const auto again = WorkspaceHold::take(sessions, "web", Duration::zero());
  ASSERT_TRUE(again) << to_sentence(again.error());
  EXPECT_EQ((*again)->record().resume_id, "5b1c");
  EXPECT_FALSE(*WorkspaceHold::take(sessions, "none", Duration::zero()));
}

TEST_F(WorkspaceContract, ARunGetsTheDirectoryWhoseLockItHolds) {
  ASSERT_TRUE(make(order()));
  const SessionStore sessions = store();
  const auto place = enter_for_run(sessions, "web");
  ASSERT_TRUE(place) << to_sentence(place.error());
  EXPECT_TRUE(place->lock);
  EXPECT_EQ(WorkspaceHold::take(sessions, "web", Duration::zero()).error().cause, "workspace-busy");
  const auto alone = enter_for_run(sessions, "alone");
  ASSERT_TRUE(alone);
  EXPECT_FALSE(alone->lock);
}

TEST_F(WorkspaceContract, UpperAndLowerCaseAreTwoWorkspaces) {
  WorkspaceRequest upper = order();
  upper.name = "WEB";
  ASSERT_TRUE(make(order()));
  ASSERT_TRUE(make(upper));
  EXPECT_EQ(store().names()->size(), 2U);
}

}  // namespace
}  // namespace holdfast::session
