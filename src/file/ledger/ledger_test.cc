// SPDX-License-Identifier: Apache-2.0
#include "file/ledger/ledger.h"

#include <thread>

#include "file/replace/commit_lock.h"
#include "file/replace/file_fixture.h"
#include "file/replace/in_place.h"
#include "format/file/ledger_text.h"
#include "testing/manual_clock.h"
#include "testing/platform.h"

namespace holdfast::file {
namespace {

using namespace std::chrono_literals;

class Ledger : public FileFixture {
 protected:
  Result<LedgerAppended> append(std::string_view name, std::string_view entry,
                                LedgerAppend how = {}) {
    how.replace.durability = Durability::kNone;
    return append_ledger(at(name), entry, std::move(how), clock_);
  }
  Result<LedgerRepaired> repair(std::string_view name) {
    return repair_ledger(at(name), {}, clock_);
  }
  Result<std::string> load(std::string_view name) {
    return load_ledger(at(name), Links::kRefuse, ForeignOwner::kRefuse);
  }
  [[nodiscard]] std::vector<std::string> copies() const {
    std::vector<std::string> found;
    for (const std::string& name : names()) {
      if (name.find(".corrupt-") != std::string::npos) found.push_back(name);
    }
    return found;
  }

  testing::ManualClock clock_;  // 2023-11-14T22:13:20Z
};

TEST_F(Ledger, TheNameOfANewOneDecidesItsFormatAndItIsPrivate) {
  ASSERT_TRUE(append("a.json", "{\"k\":1}"));
  EXPECT_EQ(content("a.json"), "[\n  {\"k\":1,\"time\":\"2023-11-14T22:13:20.000Z\"}\n]\n");
  EXPECT_EQ(mode("a.json"), 0600U);
  ASSERT_TRUE(append("a.jsonl", "{\"k\":1}", {.replace = {.mode = 0644}}));
  EXPECT_EQ(content("a.jsonl"), "{\"k\":1,\"time\":\"2023-11-14T22:13:20.000Z\"}\n");
  EXPECT_EQ(mode("a.jsonl"), 0644U);
}

TEST_F(Ledger, AnExistingOneKeepsItsFormatItsModeAndItsBytes) {
  put("h.json", "[\n    {\"n\": 1.50}\n]", 0640);
  const auto done = append("h.json", "{\"n\":2}", {.time_field = "at"});
  ASSERT_TRUE(done) << to_sentence(done.error());
  EXPECT_EQ(content("h.json"),
            "[\n    {\"n\": 1.50},\n    {\"n\": 2, \"at\": \"2023-11-14T22:13:20.000Z\"}\n]");
  EXPECT_EQ(mode("h.json"), 0640U);
  EXPECT_EQ(done->entries, 2U);
}

TEST_F(Ledger, ADamagedOneIsNeverOverwritten) {
  for (const std::string_view damaged : {"", "[{\"a\":1},", "[{\"a\":1}]x", "[3]", "{\n\"a\":1\n}",
                                         "{}\n{\"a\"", "\xEF\xBB\xBF\xEF\xBB\xBF[]"}) {
    put("h.json", damaged);
    const auto done = append("h.json", "{}");
    ASSERT_FALSE(done) << damaged;
    EXPECT_EQ(done.error().code, ErrorCode::kCorrupt) << damaged;
    EXPECT_EQ(content("h.json"), damaged);
    EXPECT_EQ(names().size(), 1U) << damaged;
  }
}

TEST_F(Ledger, AnEntryThatIsRefusedTouchesNothing) {
  EXPECT_EQ(cause_of(append("h.json", "[1]")), "not-an-object");
  EXPECT_EQ(cause_of(append("h.json", "{\"time\":1}")), "time-given");
  EXPECT_EQ(cause_of(append("h.json", "{\"time\":\"x\"}", {.times = LedgerTimes::kKeep})),
            "bad-time");
  EXPECT_TRUE(names().empty());
  EXPECT_TRUE(append("h.json", "{\"time\":1}", {.times = LedgerTimes::kKeep}));
}

TEST_F(Ledger, ALinkOnTheWayIsRefusedForReadingToo) {
  ASSERT_EQ(tmp_.dir().make_dir(*os::SafeName::make("sub"), 0700), os::Made::kMade);
  put("sub/h.json", "[]");
  if (!testing::make_dir_link(at("sub"), at("link"))) GTEST_SKIP() << "no links here";
  for (const std::string_view name : {"link/h.json", "link", "sub"}) {
    EXPECT_EQ(code_of(append(name, "{}")), ErrorCode::kRefused) << name;
    EXPECT_EQ(code_of(load(name)), ErrorCode::kRefused) << name;
    EXPECT_EQ(code_of(repair(name)), ErrorCode::kRefused) << name;
  }
  EXPECT_EQ(content("sub/h.json"), "[]");
  if (!testing::make_file_link(at("sub/h.json"), at("l.json"))) GTEST_SKIP() << "none to files";
  EXPECT_EQ(cause_of(append("l.json", "{}")), "is-link");
  EXPECT_EQ(cause_of(load("l.json")), "is-link");
  EXPECT_EQ(cause_of(repair("l.json")), "is-link");
  EXPECT_EQ(content("sub/h.json"), "[]");
}

TEST_F(Ledger, WhatIsNotThereIsNotFoundAndNotEmpty) {
  EXPECT_EQ(code_of(load("h.json")), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(repair("h.json")), ErrorCode::kNotFound);
  EXPECT_TRUE(names().empty());
}

TEST_F(Ledger, ABusyDirectoryIsBusyAfterTheWait) {
  std::optional<CommitLock> lock(CommitLock::take(tmp_.dir(), 0s).value());
  const auto done = append("h.json", "{}", {.replace = {.wait = 1ms}});
  EXPECT_EQ(code_of(done), ErrorCode::kBusy);
  lock.reset();
  EXPECT_TRUE(names().empty());
}

TEST_F(Ledger, AWriteInPlaceThatWasCutShortCannotBeTold) {
  put("h.json", "[{\"a\":");
  put(".h.json.hf-undo", "whatever");
  EXPECT_EQ(cause_of(load("h.json")), "write-in-place-unfinished");
}

TEST_F(Ledger, AppendsOfManyThreadsLoseNone) {
  constexpr int kThreads = 8;
  constexpr int kEach = 12;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        const auto done = append("h.json", "{\"n\":" + std::to_string(t * kEach + i) + "}");
        EXPECT_TRUE(done) << to_sentence(done.error());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string bytes = content("h.json");
  EXPECT_EQ(read_ledger(bytes, LedgerNaming::kOther).entries.size(), std::size_t{kThreads * kEach});
}

TEST_F(Ledger, ARepairKeepsTheDamagedBytesAndEveryWholeEntry) {
  constexpr std::string_view kDamaged = "[\n  {\"a\":1},\n  {\"b\":!},\n  {\"c\":3},\n  {\"d\"";
  put("h.json", kDamaged, 0640);
  const auto done = repair("h.json");
  ASSERT_TRUE(done) << to_sentence(done.error());
  EXPECT_TRUE(done->needed);
  EXPECT_EQ(done->kept, 2U);
  EXPECT_EQ(done->lost_bytes, 12U);
  EXPECT_EQ(content("h.json"), "[\n  {\"a\":1},\n  {\"c\":3}\n]\n");
  EXPECT_EQ(done->copy, "h.json.corrupt-20231114T221320.000Z");
  EXPECT_EQ(content(*done->copy), kDamaged);
  EXPECT_EQ(mode(*done->copy), 0640U);
  EXPECT_EQ(mode("h.json"), 0640U);
  EXPECT_TRUE(append("h.json", "{}"));
}

TEST_F(Ledger, AWholeOneNeedsNoRepairAndAnotherFileGetsNone) {
  put("h.json", "[{\"a\":1}]");
  const auto done = repair("h.json");
  ASSERT_TRUE(done);
  EXPECT_FALSE(done->needed);
  put("settings.json", "{\n  \"a\": 1\n}\n");
  EXPECT_EQ(cause_of(repair("settings.json")), "not-a-ledger");
  EXPECT_EQ(content("settings.json"), "{\n  \"a\": 1\n}\n");
  EXPECT_TRUE(copies().empty());
}

TEST_F(Ledger, LinesOfWhichNothingIsLeftAreAnEmptyLedger) {
  put("h.jsonl", std::string_view("\0\0\0\0", 4));
  const auto done = repair("h.jsonl");
  ASSERT_TRUE(done) << to_sentence(done.error());
  EXPECT_EQ(content("h.jsonl"), "");
  EXPECT_EQ(copies().size(), 1U);
}

TEST_F(Ledger, TheSixthCopyIsRefusedAndNoneIsRemoved) {
  for (std::size_t i = 0; i < kMostDamagedCopies; ++i) {
    put("h.json", "[" + std::to_string(i));
    ASSERT_TRUE(repair("h.json"));  // all in one millisecond
  }
  const std::vector<std::string> before = copies();
  EXPECT_EQ(before.size(), kMostDamagedCopies);
  put("h.json", "[9");
  EXPECT_EQ(cause_of(repair("h.json")), "too-many-copies");
  EXPECT_EQ(content("h.json"), "[9");
  EXPECT_EQ(copies(), before);
  // The same damage again needs no new copy.
  put("h.json", "[3");
  const auto again = repair("h.json");
  ASSERT_TRUE(again) << to_sentence(again.error());
  EXPECT_EQ(copies(), before);
}

TEST_F(Ledger, OneLineThatIsLeftInAJsonFileBecomesAListOfOne) {
  put("h.json", "{\"n\":1}\n{\"n\":2}\n");
  LedgerAppend how;
  how.caps.newest = 1;
  ASSERT_TRUE(append_ledger(at("h.json"), "{\"n\":3}", how, clock_));
  const auto next = append_ledger(at("h.json"), "{\"n\":4}", {}, clock_);
  ASSERT_TRUE(next) << to_sentence(next.error());
  EXPECT_EQ(next->entries, 2U);

  put("g.json", "{\"n\":1}\n{\"n\":2");
  ASSERT_TRUE(repair_ledger(at("g.json"), {}, clock_));
  EXPECT_TRUE(append_ledger(at("g.json"), "{\"n\":3}", {}, clock_));
}

}  // namespace
}  // namespace holdfast::file
