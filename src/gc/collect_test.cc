// SPDX-License-Identifier: Apache-2.0
//
// What the last look before a removal refuses.
#include "gc/collect.h"

#include "gc/adopt.h"
#include "gc/gc_fixture.h"

namespace holdfast::gc {
namespace {

namespace fs = std::filesystem;

class Collect : public GcFixture {
 protected:
  void SetUp() override { fresh(); }
  Result<Adopted> adopt_all(const std::string& path, const std::string& pattern) {
    const session::SessionStore sessions = store();
    const os::Dir home = *os::Dir::open(at("home"));
    const Services services{.sessions = sessions,
                            .home = home,
                            .locks = locks_,
                            .events = events_,
                            .clock = clock_,
                            .stop = stop_,
                            .claims = nobody_counts};
    return adopt(services, {.directory = at(path), .pattern = pattern});
  }
  [[nodiscard]] Options with_rescue() const {
    Options options;
    options.rescue = "touch \"$HOLDFAST_SESSION_DIR/rescued\" " + at("rescued");
    return options;
  }
  // As an agent would write it in its own directory, without an entry in the list.
  void forge(const WorkspaceRecord& record) const {
    ASSERT_TRUE(session::publish_workspace_record(store(), record));
  }
};

TEST_F(Collect, ADirectoryThatOnlyTheRecordNamesIsNeitherMovedNorRescued) {
  WorkspaceRecord forged = ended("forged");
  outside(forged, "precious");
  forge(forged);
  ASSERT_TRUE(clean(with_rescue()));
  EXPECT_EQ(reason(report_.failed, "forged"), "not-confirmed");
  EXPECT_TRUE(there("precious/file"));
  EXPECT_FALSE(there("precious/rescued"));
  EXPECT_FALSE(there("rescued"));
  EXPECT_TRUE(there("sessions/forged"));
}

TEST_F(Collect, TheIdOfAnotherWorkspaceDoesNotHelpAForgery) {
  WorkspaceRecord real = ended("real");
  real.attached.push_back({.process = session::own_identity()});
  outside(real, "precious");
  publish(real);
  WorkspaceRecord forged = real;
  forged.name = "forged";
  forged.attached.clear();
  forge(forged);
  ASSERT_TRUE(clean(with_rescue()));
  EXPECT_EQ(reason(report_.failed, "forged"), "not-confirmed");
  EXPECT_TRUE(there("precious/file"));
}

TEST_F(Collect, OneWhoseNameARunHoldsIsBusyAlsoWhereNothingEverRan) {
  publish(ended("web"));
  locks_.busy = "session:web";
  ASSERT_TRUE(clean());
  EXPECT_EQ(reason(report_.kept, "web"), "busy");
  EXPECT_TRUE(there("sessions/web"));
}

TEST_F(Collect, WhatHoldsOrLiesInAnotherWorkspaceOrTheHomeStays) {
  WorkspaceRecord outer = ended("outer");
  outside(outer, "outer");
  publish(outer);
  WorkspaceRecord inner = ended("inner");
  outside(inner, "outer/inner");
  publish(inner);
  WorkspaceRecord all = ended("all");
  outside(all, ".");
  all.directory = at("");
  all.directory.pop_back();
  publish(all);
  ASSERT_TRUE(clean(with_rescue()));
  for (const char* name : {"outer", "inner", "all"}) {
    EXPECT_EQ(reason(report_.kept, name), "holds-another-workspace") << name;
  }
  EXPECT_TRUE(there("outer/inner/file"));
  EXPECT_FALSE(there("rescued"));
}

TEST_F(Collect, OneWithoutItsDirectoryGoesWithoutARescue) {
  WorkspaceRecord over = ended("over");
  outside(over, "place");
  publish(over);
  fs::remove_all(at("place"));
  ASSERT_TRUE(clean(with_rescue()));
  EXPECT_EQ(reason(report_.removed, "over"), "ended");
  EXPECT_FALSE(there("rescued"));
}

TEST_F(Collect, AnUnsafeTrashFailsEachEntryAndNothingElse) {
  publish(ended("over"));
  fs::create_directory_symlink(at(""), at("sessions/.holdfast-trash"));
  ASSERT_TRUE(clean());
  EXPECT_EQ(reason(report_.failed, "over"), "trash-unsafe");
}

TEST_F(Collect, OneThatNobodyFinishedMakingGoesThoughItsAttachmentHasNoProcess) {
  WorkspaceRecord reserved = record("reserved");
  reserved.state = WorkspaceState::kReserved;
  outside(reserved, session::workspace_stage_name(reserved.id).str());
  reserved.directory = at("place");
  reserved.attached.push_back({.token = *os::random_id()});
  publish(reserved);
  ASSERT_TRUE(clean());
  EXPECT_EQ(reason(report_.removed, "reserved"), "never-made");
}

TEST_F(Collect, ADirectoryInTheTrashWhoseWorkspaceStaysComesBack) {
  WorkspaceRecord live = record("live");
  outside(live, "place");
  publish(live);
  fs::create_directory(at(".holdfast-trash"));
  fs::permissions(at(".holdfast-trash"), fs::perms::owner_all);
  fs::rename(at("place"), at(".holdfast-trash/" + trash_name("place", live.id)->str()));
  ASSERT_TRUE(clean());
  EXPECT_EQ(reason(report_.kept, "live"), "no-authority");
  EXPECT_TRUE(there("place/file"));
}

TEST_F(Collect, AdoptingLeavesAloneWhatIsSomebodyElses) {
  WorkspaceRecord known = record("known");
  outside(known, "all/taken");
  publish(known);
  fs::create_directories(at("all/free"));
  fs::create_directories(at("all/.holdfast-trash"));
  fs::create_directories(at("all/.hf-stage-00000000000000000000000000000001"));
  auto adopted = adopt_all("all", "*");
  ASSERT_TRUE(adopted);
  EXPECT_EQ(adopted->names, std::vector<std::string>{"free"});
  EXPECT_EQ(reason(adopted->failed, "taken"), "holds-another-workspace");
  adopted = adopt_all(".", "*");
  ASSERT_TRUE(adopted);
  EXPECT_TRUE(adopted->names.empty());
  EXPECT_EQ(reason(adopted->failed, "all"), "holds-another-workspace");
  EXPECT_EQ(reason(adopted->failed, "home"), "holds-another-workspace");
  EXPECT_EQ(session::list_outside(store())->size(), 2U);
}

TEST_F(Collect, AnAdoptedDirectoryThatWasMadeAnewIsRenewed) {
  fs::create_directories(at("all/one"));
  ASSERT_EQ(adopt_all("all", "*")->names.size(), 1U);
  EXPECT_EQ(adopt_all("all", "*")->known, 1U);
  const auto before = **session::read_workspace(store(), "one");
  fs::rename(at("all/one"), at("old"));  // so that the new one has another inode
  fs::create_directories(at("all/one"));
  ASSERT_EQ(adopt_all("all", "*")->names.size(), 1U);
  const auto after = **session::read_workspace(store(), "one");
  EXPECT_NE(after.inode, before.inode);
  EXPECT_GT(after.born.boot_ns, before.born.boot_ns);
  EXPECT_TRUE(*session::confirmed_outside(store(), after));
  EXPECT_EQ(adopt_all("all", "*")->known, 1U);
}

}  // namespace
}  // namespace holdfast::gc
