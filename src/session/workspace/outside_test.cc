// SPDX-License-Identifier: Apache-2.0
#include "session/workspace/outside.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "os/file/birth_time.h"
#include "os/machine/random.h"
#include "session/workspace/harness_new_fixture.h"
#include "session/workspace/outside_claims.h"
#include "testing/temp_dir.h"

namespace holdfast::session {
namespace {

namespace fs = std::filesystem;

class OutsideList : public NewHarnessFixture {
 protected:
  [[nodiscard]] os::Dir open(const std::string& path) const {
    return *os::Dir::open(tmp_.path(path));
  }
  HarnessRecord made() const {
    auto done = make(outside_order());
    EXPECT_TRUE(done);
    return done->record;
  }
  [[nodiscard]] bool confirmed(const HarnessRecord& record) const {
    const auto found = confirmed_outside(store(), record);
    EXPECT_TRUE(found);
    return found && found->has_value();
  }
};

TEST_F(OutsideList, ARecordIsBelievedOnlyWhereTheListSaysTheSame) {
  const HarnessRecord record = made();
  EXPECT_TRUE(confirmed(record));
  const auto without = [&](const auto& change) {
    HarnessRecord forged = record;
    change(forged);
    return !confirmed(forged);
  };
  EXPECT_TRUE(without([](HarnessRecord& r) { r.directory = "/"; }));
  EXPECT_TRUE(without([](HarnessRecord& r) { r.name = "another"; }));
  EXPECT_TRUE(without([](HarnessRecord& r) { ++r.inode; }));
  EXPECT_TRUE(without([](HarnessRecord& r) { ++r.device; }));
  EXPECT_TRUE(without([](HarnessRecord& r) { r.id.bytes[0] ^= 1U; }));
  ASSERT_TRUE(remove_outside(store(), record.id));
  EXPECT_FALSE(confirmed(record));
  EXPECT_EQ(directory_of(store(), record).error().cause, "not-confirmed");
}

TEST_F(OutsideList, ADirectoryThatWasMadeAnewIsAnotherEvenWithTheSameInode) {
  const HarnessRecord record = made();
  OutsideEntry entry = **find_outside(store(), record.id);
  EXPECT_TRUE(*is_directory_of(entry, open("out/web")));
  if (entry.birth_ns == 0) GTEST_SKIP() << "this file system does not tell times of birth";
  --entry.birth_ns;
  EXPECT_FALSE(*is_directory_of(entry, open("out/web")));
}

TEST_F(OutsideList, WhatCannotBeReadIsAnErrorAndNotNothing) {
  const HarnessRecord record = made();
  const std::string file = tmp_.path("home/sessions/.holdfast-outside/" + to_hex(record.id));
  ASSERT_TRUE(fs::exists(file));
  std::ofstream(file) << "{}";
  EXPECT_EQ(list_outside(store()).error().cause, "bad-outside-entry");
  EXPECT_EQ(confirmed_outside(store(), record).error().cause, "bad-outside-entry");
  HarnessOrder other = outside_order();
  other.name = "other";
  EXPECT_EQ(cause(make(other)), "bad-outside-entry");
}

TEST_F(OutsideList, NoneIsMadeInTheDirectoryOfAnother) {
  made();
  HarnessOrder inner = order();
  inner.name = "inner";
  inner.directory = tmp_.path("out/web/inner");
  EXPECT_EQ(cause(make(inner)), "inside-another-session");
  fs::create_directory_symlink(tmp_.path("out/web"), tmp_.path("alias"));
  fs::create_directories(tmp_.path("out/web/deep"));
  inner.directory = tmp_.path("alias/deep/inner");
  EXPECT_EQ(cause(make(inner)), "inside-another-session");
  EXPECT_EQ(list_outside(store())->size(), 1U);
  // Where it was moved to, it is still that session's.
  fs::rename(tmp_.path("out/web"), tmp_.path("moved"));
  inner.directory = tmp_.path("moved/inner");
  EXPECT_EQ(cause(make(inner)), "inside-another-session");
  fs::remove_all(tmp_.path("moved"));
  inner.directory = tmp_.path("out/inner");
  EXPECT_EQ(cause(make(inner)), "(made)");
}

TEST_F(OutsideList, TheSameAboveAndBelowAreSomebodyElsesAndBesideIsNot) {
  const HarnessRecord record = made();
  fs::create_directories(tmp_.path("out/web/sub"));
  fs::create_directories(tmp_.path("out/beside"));
  const auto claims = OutsideClaims::read(store());
  ASSERT_TRUE(claims);
  const auto other = [&](const std::string& path, const Id128& self) {
    const auto found = claims->other_at(open(path), self);
    EXPECT_TRUE(found);
    return found->value_or("nobody");
  };
  EXPECT_EQ(other("out/web", {}), "'web'");
  EXPECT_EQ(other("out/web/sub", Id128{{1}}), "'web'");
  EXPECT_EQ(other("out", Id128{{1}}), "'web'");
  EXPECT_EQ(other("out/beside", Id128{{1}}), "nobody");
  EXPECT_EQ(other("out/web", record.id), "nobody");
  EXPECT_EQ(other("home", Id128{{1}}), "the home");
  EXPECT_EQ(other("home/sessions", Id128{{1}}), "the home");
  EXPECT_EQ(other(".", record.id), "the home");
}

class OwnerMark : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"one", "two", "work"}) {
      std::filesystem::create_directory(tmp_.path(name));
      std::filesystem::permissions(tmp_.path(name), std::filesystem::perms::owner_all);
    }
    const auto put = os::put_mark(work(), "x");
    ASSERT_TRUE(put);
    if (*put == os::Marked::kNotOffered) GTEST_SKIP() << "this file system keeps no marks";
    ASSERT_TRUE(os::remove_mark(work()));
  }
  [[nodiscard]] os::Dir work() const { return *os::Dir::open(tmp_.path("work")); }
  [[nodiscard]] SessionStore home(const std::string& name) const {
    return SessionStore(*os::Dir::open(tmp_.path(name)));
  }
  // A session of that home, whose directory is `work`, and its mark.
  Result<os::Marked> claim(const std::string& in, const Id128& id) const {
    const os::FileId file = work().info()->id;
    HF_TRY(write_outside(home(in), {.id = id,
                                    .name = in,
                                    .directory = work().path(),
                                    .device = file.device,
                                    .inode = file.inode,
                                    .birth_ns = *os::birth_time_of(work())}));
    return mark_owner(home(in), work(), id);
  }

  testing::TempDir tmp_;
  Id128 first_ = *os::random_id();
  Id128 second_ = *os::random_id();
};

TEST_F(OwnerMark, OfTwoHomesOneMarksIt) {
  ASSERT_EQ(*claim("one", first_), os::Marked::kMarked);
  EXPECT_FALSE(other_home_of(home("one"), work())->has_value());
  EXPECT_TRUE(other_home_of(home("two"), work())->has_value());
  EXPECT_EQ(claim("two", second_).error().cause, "other-home");
  // Its own home marks it again, for another session.
  EXPECT_EQ(*claim("one", second_), os::Marked::kMarked);
}

TEST_F(OwnerMark, AMarkOfASessionThatIsGoneSaysNothing) {
  ASSERT_TRUE(claim("one", first_));
  ASSERT_TRUE(remove_outside(home("one"), first_));
  EXPECT_FALSE(other_home_of(home("two"), work())->has_value());
  EXPECT_EQ(*claim("two", second_), os::Marked::kMarked);
}

TEST_F(OwnerMark, AHomeThatCannotBeReadMayHaveIt) {
  ASSERT_TRUE(claim("one", first_));
  std::filesystem::rename(tmp_.path("one"), tmp_.path("away"));
  EXPECT_TRUE(other_home_of(home("two"), work())->has_value());
}

TEST_F(OwnerMark, ACopyIsNobodys) {
  ASSERT_TRUE(claim("one", first_));
  std::filesystem::create_directory(tmp_.path("copy"));
  const os::Dir copy = *os::Dir::open(tmp_.path("copy"));
  ASSERT_EQ(*os::put_mark(copy, **os::mark_of(work())), os::Marked::kMarked);
  EXPECT_FALSE(other_home_of(home("two"), copy)->has_value());
}

TEST_F(OwnerMark, AForgedMarkKeepsADirectoryAndNeverGivesOneAway) {
  ASSERT_EQ(*os::put_mark(work(), "not a mark"), os::Marked::kMarked);
  EXPECT_TRUE(other_home_of(home("two"), work())->has_value());
  EXPECT_EQ(claim("two", second_).error().cause, "other-home");
}

TEST_F(OwnerMark, OnlyTheMarkOfTheSessionIsTakenOff) {
  ASSERT_TRUE(claim("one", first_));
  ASSERT_TRUE(unmark_owner(work(), second_));
  EXPECT_TRUE(os::mark_of(work())->has_value());
  ASSERT_TRUE(unmark_owner(work(), first_));
  EXPECT_FALSE(os::mark_of(work())->has_value());
}

}  // namespace
}  // namespace holdfast::session
