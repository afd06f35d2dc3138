// SPDX-License-Identifier: Apache-2.0
//
// Retention works while a journal is read. The hostile moment: the reader has a segment open, and
// its next record speaks of a blob; retention removes the name of the segment, and then the blob.
// What the reader misses is no damage. A blob of a segment that is still there is.
#include <atomic>

#include "journal/read/count.h"
#include "journal/read/grouper.h"
#include "journal/read/segment_counter.h"
#include "journal/read/segment_verifier.h"
#include "journal/write/troubled_journal_fixture.h"

namespace holdfast::journal {
namespace {

namespace fs = std::filesystem;

class RetentionMeanwhile : public TroubledJournal {
 protected:
  void SetUp() override {
    const auto journal = open({.limits = {.segment_records = 5}});
    const std::string large(70'000, 'x');
    ASSERT_TRUE(journal->record({.type = "x.large", .data = EventData().text("text", large)}));
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(journal->record(numbered(i)));
    fs::copy(tmp_.path(), before_.path(), fs::copy_options::recursive);
    const auto dropped = journal->retain(0);
    ASSERT_TRUE(dropped && *dropped > 0);
    fs::copy(tmp_.path(), after_.path(), fs::copy_options::recursive);
    replay(before_);
  }

  // Makes the journal what it is in `from`; names before blobs, as retention does.
  void replay(const testing::TempDir& from) {
    for (const std::string& name : files("seg-")) {
      if (!fs::exists(from.path(name))) fs::remove(tmp_.path(name));
    }
    for (const auto& entry : fs::directory_iterator(from.path())) {
      if (entry.is_regular_file()) take(entry.path(), tmp_.path(entry.path().filename().string()));
    }
    fs::remove_all(tmp_.path("blobs"));
    fs::copy(from.path("blobs"), tmp_.path("blobs"));
  }

  // A file that only grew is written at its end only, as a writer does.
  static void take(const fs::path& from, const std::string& to) {
    const std::string now = read(from.string());
    const std::string was = read(to);
    if (fs::exists(to) && now == was) return;
    if (fs::exists(to) && now.starts_with(was)) {
      std::ofstream(to, std::ios::binary | std::ios::app) << now.substr(was.size());
    } else {
      fs::copy(from, to, fs::copy_options::overwrite_existing);
    }
  }

  // What `reading` says of a journal whose retention comes between a record and its blob.
  template <typename Read>
  auto meanwhile(Read reading) {
    return under_retention([&] { return with_snapshot(tmp_.dir(), reading); });
  }
  template <typename Read>
  auto meanwhile_of(const Snapshot& snapshot, Read reading) {
    return under_retention([&] { return reading(snapshot); });
  }
  template <typename Act>
  auto under_retention(Act act) {
    std::atomic<bool> come = false;
    Hook hook([&](const CallSite& call) {
      if (call.path == "blobs" && !come.exchange(true)) replay(after_);
      return Fate{};
    });
    const testing::ScopedCallHook hooked(hook);
    auto result = act();
    EXPECT_TRUE(come) << "no blob was asked for";
    return result;
  }

  template <typename R>
  static void expect_no_alarm(const R& result) {
    ASSERT_TRUE(result) << to_sentence(result.error());
    for (const Damage& damage : result->damaged) {
      EXPECT_TRUE(damage.explained) << damage.kind << ": " << damage.says;
    }
  }

  testing::TempDir before_;
  testing::TempDir after_;
};

Result<os::Visit> go_on(const QueriedRecord& /*record*/) { return os::Visit::kContinue; }

// The segment alone: with others, whoever opens one that is gone has met the retention first.
TEST_F(RetentionMeanwhile, VerifyAndCountOfASegmentSeeThatItIsGone) {
  const auto removed = [](const auto& read) {
    return read ? std::string("read") : read.error().cause;
  };
  const auto verifying = [](const Snapshot& now) {
    return verify_segment(now, now.segments().front(), {}, /*with_blobs=*/true);
  };
  const Snapshot first = *Snapshot::open(tmp_.dir());
  EXPECT_EQ(removed(meanwhile_of(first, verifying)), "segment-removed");
  replay(before_);
  const Filter all;
  CountQuestion by_text{.filter = all};
  by_text.by.push_back(*parse_group_by("data.text"));
  const Snapshot second = *Snapshot::open(tmp_.dir());
  EXPECT_EQ(removed(meanwhile_of(
                second,
                [&](const Snapshot& now) {
                  return SegmentCounter(now, by_text, nullptr).count(now.segments().front());
                })),
            "segment-removed");
}

TEST_F(RetentionMeanwhile, VerifySeesNoDamage) {
  expect_no_alarm(meanwhile([](const Snapshot& snapshot) { return verify(snapshot); }));
}

TEST_F(RetentionMeanwhile, QuerySeesNoDamage) {
  expect_no_alarm(meanwhile([](const Snapshot& snapshot) { return query(snapshot, {}, go_on); }));
  replay(before_);
  QueryRequest where;
  where.filter.where.push_back(*parse_where("data.text=x"));
  expect_no_alarm(
      meanwhile([&](const Snapshot& snapshot) { return query(snapshot, where, go_on); }));
  replay(before_);
  QueryRequest back{.reverse = true};
  expect_no_alarm(
      meanwhile([&](const Snapshot& snapshot) { return query(snapshot, back, go_on); }));
}

TEST_F(RetentionMeanwhile, CountSeesNoDamage) {
  for (const bool index : {false, true}) {
    CountRequest request{.by = {"data.text"}, .use_index = index};
    replay(before_);
    expect_no_alarm(meanwhile([&](const Snapshot& snapshot) { return count(snapshot, request); }));
  }
}

TEST_F(RetentionMeanwhile, ABlobThatIsMissingFromASegmentInPlaceIsDamage) {
  fs::remove_all(tmp_.path("blobs"));
  EXPECT_TRUE(any_unexplained(verified().damaged));
  const auto seen = with_snapshot(
      tmp_.dir(), [](const Snapshot& snapshot) { return query(snapshot, {}, go_on); });
  ASSERT_TRUE(seen);
  EXPECT_TRUE(any_unexplained(seen->damaged));
}

// A power cut may bring back what was not synced: a segment without its blobs would be damage.
TEST_F(RetentionMeanwhile, TheNamesAreGoneForGoodBeforeTheFirstBlobGoes) {
  std::vector<std::string> calls;
  Hook hook([&](const CallSite& call) {
    if (call.name == "unlinkat" || call.name == "fsync") calls.emplace_back(call.name);
    if (call.path == "blobs") calls.emplace_back("blobs");
    return Fate{};
  });
  const auto journal = open();
  {
    const testing::ScopedCallHook hooked(hook);
    const auto dropped = journal->retain(0);
    ASSERT_TRUE(dropped && *dropped > 0);
  }
  const auto first = std::ranges::find(calls, "unlinkat");
  const auto blobs = std::find(first, calls.end(), "blobs");
  ASSERT_NE(blobs, calls.end());
  EXPECT_EQ(*(blobs - 1), "fsync");
}

}  // namespace
}  // namespace holdfast::journal
