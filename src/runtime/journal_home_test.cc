// SPDX-License-Identifier: Apache-2.0
#include "runtime/journal_home.h"

#include <gtest/gtest.h>

#include "format/journal/journal_record.h"
#include "journal/read/snapshot.h"
#include "os/machine/real_clock.h"
#include "runtime/home.h"
#include "runtime/writer_id.h"
#include "testing/temp_dir.h"

namespace holdfast {
namespace {

HomeLocation journal_home_at(const std::string& path) {
  return {.path = path, .source = HomeLocation::Source::kOption};
}

TEST(JournalHome, AHomeThatIsNotThereYetHasNoJournalAndNothingIsMade) {
  const testing::TempDir dir;
  const auto found = find_journal(journal_home_at(dir.path("home")));
  ASSERT_TRUE(found) << to_sentence(found.error());
  EXPECT_FALSE(*found);
  EXPECT_FALSE(dir.dir().info(os::SafeName::make("home").value()).value());
}

TEST(JournalHome, AHomeWithoutAJournalHasNoEventsAndStaysAsItIs) {
  const testing::TempDir dir;
  const os::RealClock clock;
  const auto home = Home::open_or_create(journal_home_at(dir.path("home")), clock);
  ASSERT_TRUE(home);
  EXPECT_FALSE(find_journal(journal_home_at(dir.path("home"))).value());
  EXPECT_FALSE(home->dir().info(os::SafeName::make("journal").value()).value());
}

TEST(JournalHome, WhatCannotBeReadIsNotEmpty) {
  const testing::TempDir dir;
  EXPECT_FALSE(find_journal(journal_home_at(dir.path("no/such/home"))))
      << "a typed home without its parent";
  ASSERT_TRUE(dir.dir().create_file(os::SafeName::make("file").value(), 0600).value());
  EXPECT_FALSE(find_journal(journal_home_at(dir.path("file"))));
  const os::RealClock clock;
  const auto home = Home::open_or_create(journal_home_at(dir.path("home")), clock);
  ASSERT_TRUE(home->dir().create_file(os::SafeName::make("journal").value(), 0600).value());
  EXPECT_FALSE(find_journal(journal_home_at(dir.path("home"))));
}

TEST(JournalHome, WhatIsRecordedIsFound) {
  const testing::TempDir dir;
  const os::RealClock clock;
  {
    const auto home = Home::open_or_create(journal_home_at(dir.path("home")), clock);
    const auto journal = open_journal(*home, clock);
    ASSERT_TRUE(journal) << to_sentence(journal.error());
    ASSERT_TRUE((*journal)->record({.type = "x.test"}));
  }
  const auto found = find_journal(journal_home_at(dir.path("home")));
  ASSERT_TRUE(found && *found);
  EXPECT_FALSE(journal::Snapshot::open(**found).value().empty());
}

TEST(WriterId, IsAWriterAndStaysTheSame) {
  EXPECT_TRUE(is_writer_spelling(writer_id())) << writer_id();
  EXPECT_EQ(writer_id(), writer_id());
  EXPECT_NE(writer_id().find('.'), std::string::npos) << "with the start time";
}

}  // namespace
}  // namespace holdfast
