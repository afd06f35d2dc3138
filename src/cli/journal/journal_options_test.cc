// SPDX-License-Identifier: Apache-2.0
#include "cli/journal/journal_options.h"

#include <gtest/gtest.h>

#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "format/text/rfc3339.h"

namespace holdfast::cli {
namespace {

const WallTime kJournalOptionsNow = *parse_rfc3339("2026-11-15T07:46:00.000Z");

Result<journal::Filter> filter(const std::vector<std::pair<std::string, std::string>>& options) {
  ArgsBuilder builder(kJournalQueryCommand);
  for (const auto& [name, value] : options) builder.option(name, value);
  return filter_of(builder.build(), Times::kSinceAndUntil, kJournalOptionsNow);
}

TEST(JournalOptions, NothingTypedIsEverything) {
  const auto found = filter({});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->types.empty());
  EXPECT_FALSE(found->since_us || found->until_us || found->event_class);
}

TEST(JournalOptions, WhatIsTypedIsInTheFilter) {
  const auto found = filter({{"type", "lock.*"},
                             {"type", "x.mine"},
                             {"where", "data.lock=a=b"},
                             {"class", "decision"},
                             {"since", "1h"},
                             {"until", "2026-11-15T07:00:00Z"}});
  ASSERT_TRUE(found) << to_sentence(found.error());
  EXPECT_EQ(found->types, (std::vector<std::string>{"lock.*", "x.mine"}));
  EXPECT_EQ(found->where.at(0).value, "a=b");
  EXPECT_EQ(found->event_class, EventClass::kDecision);
  EXPECT_EQ(*found->until_us - *found->since_us, 14LL * 60 * 1'000'000);
}

TEST(JournalOptions, AMistypedTypeIsAnErrorAndNotAnEmptyAnswer) {
  const auto found = filter({{"type", "lock.fail_opne"}});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kUsage);
  EXPECT_NE(found.error().detail.find("did you mean lock.fail_open?"), std::string::npos);
  EXPECT_TRUE(filter({{"type", "lock.fail_open"}}));
  EXPECT_TRUE(filter({{"type", "x.anything"}}));
  EXPECT_TRUE(filter({{"type", "later.type*"}})) << "a pattern may be of a later version";
}

TEST(JournalOptions, ATimeRangeWithNothingInItIsAnError) {
  EXPECT_FALSE(filter({{"since", "1h"}, {"until", "2h"}}));
  EXPECT_FALSE(filter({{"since", "1h"}, {"until", "1h"}}));
  EXPECT_TRUE(filter({{"since", "2h"}, {"until", "1h"}}));
}

}  // namespace
}  // namespace holdfast::cli
