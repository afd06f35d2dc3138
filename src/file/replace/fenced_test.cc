// SPDX-License-Identifier: Apache-2.0
//
// What is promised of the gate: it is passed before every change of a user's file, under the
// directory's lock, and is held while the change happens; where it is closed nothing changes.
#include <gtest/gtest.h>

#include "file/block/block_edit.h"
#include "file/ensure/ensure_fixture.h"
#include "file/ledger/ledger.h"
#include "file/replace/commit_lock.h"
#include "file/replace/edit_lock.h"
#include "file/replace/file_fixture.h"
#include "os/machine/real_clock.h"

namespace holdfast::file {
namespace {

// Opens so many times, then is closed; notes what a visitor would have seen of the file while it
// was inside.
class WatchedGate final : public CommitGate {
 public:
  WatchedGate(const os::Dir& dir, std::function<std::string()> look, int opens)
      : dir_(dir), look_(std::move(look)), opens_(opens) {}

  Result<std::unique_ptr<Passage>> enter() override {
    if (opens_-- <= 0) {
      return fail({.code = ErrorCode::kRefused, .op = "pass", .cause = "lock-lost"});
    }
    locked = !CommitLock::take(dir_, Duration::zero());
    before = look_();
    return std::make_unique<Watched>(*this);
  }
  [[nodiscard]] std::size_t locks() const override { return 2; }

  bool locked = false;  // the directory, by somebody, at the last entry
  std::string before;
  std::string after;

 private:
  class Watched final : public CommitGate::Passage {
   public:
    explicit Watched(WatchedGate& gate) : gate_(gate) {}
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;
    Watched(Watched&&) = delete;
    Watched& operator=(Watched&&) = delete;
    ~Watched() override { gate_.after = gate_.look_(); }

   private:
    WatchedGate& gate_;
  };

  const os::Dir& dir_;
  std::function<std::string()> look_;
  int opens_;
};

constexpr int kAlways = 100;

class Fenced : public EnsureFixture {
 protected:
  std::shared_ptr<WatchedGate> gate(int opens) {
    return std::make_shared<WatchedGate>(tmp_.dir(), [this] { return content("f"); }, opens);
  }
  Result<Replaced> write(const std::shared_ptr<WatchedGate>& gate, std::string_view text,
                         How how = How::kRename) {
    return replace(at("f"), text, {.how = how, .gate = gate});
  }
};

using FencedNames = std::vector<std::string>;

TEST_F(Fenced, TheNameChangesInsideThePassageUnderTheLockOfTheDirectory) {
  for (const bool exists : {true, false}) {
    tmp_.clear();
    if (exists) put("f", "old");
    const auto watched = gate(kAlways);
    const auto written = write(watched, "new");
    ASSERT_TRUE(written);
    EXPECT_EQ(written->fences, 2U);
    EXPECT_TRUE(watched->locked);
    EXPECT_EQ(watched->before, exists ? "old" : "(absent)");
    EXPECT_EQ(watched->after, "new");
  }
}

TEST_F(Fenced, TheBytesOfAWriteInPlaceAreWrittenInsideThePassage) {
  put("f", "old");
  const auto watched = gate(kAlways);
  ASSERT_TRUE(write(watched, "new and longer", How::kInPlace));
  EXPECT_TRUE(watched->locked);
  EXPECT_EQ(watched->before, "old");
  EXPECT_EQ(watched->after, "new and longer");
}

TEST_F(Fenced, AClosedGateIsToldBeforeAnybodyWorks) {
  put("f", "old");
  const auto job = Replacement::begin(at("f"), {.gate = gate(0)});
  EXPECT_EQ(code_of(job), ErrorCode::kRefused);
  EXPECT_EQ(cause_of(job), "lock-lost");
}

TEST_F(Fenced, AGateThatClosesMeanwhileLeavesTheOldFileAndNothingElse) {
  for (const How how : {How::kRename, How::kInPlace}) {
    put("f", "old");
    EXPECT_EQ(cause_of(write(gate(1), "new", how)), "lock-lost");
    EXPECT_EQ(content("f"), "old");
    EXPECT_EQ(names(), FencedNames{"f"});
  }
  tmp_.clear();
  EXPECT_EQ(cause_of(write(gate(1), "new")), "lock-lost");
  EXPECT_EQ(names(), FencedNames{});
}

TEST_F(Fenced, ThatTheContentIsThereAlreadyIsNoExcuse) {
  put("f", "same");
  EXPECT_EQ(cause_of(write(gate(1), "same")), "lock-lost");
  EXPECT_EQ(write(gate(2), "same").value().fences, 2U);
}

TEST_F(Fenced, WithoutAGateNothingIsFenced) {
  EXPECT_EQ(replace(at("f"), "new", {}).value().fences, 0U);
}

TEST_F(Fenced, ALedgerIsNotAppendedToBehindAClosedGate) {
  put("f", "[]\n");
  const os::RealClock clock;
  LedgerAppend how;
  how.replace.gate = gate(1);
  EXPECT_EQ(cause_of(append_ledger(at("f"), "{}", how, clock)), "lock-lost");
  EXPECT_EQ(content("f"), "[]\n");
}

TEST_F(Fenced, EnsureMakesNothingBehindAClosedGateAndSaysWhatItMadeBefore) {
  const std::vector entries{file("a"), file("b"), dir("c")};
  for (const int opens : {0, 1, 2, 3}) {
    tmp_.clear();
    done = {};
    const EnsurePlan plan = plan_ensure(entries, Purpose::kApply);
    const auto applied = apply_ensure(entries, plan, {.gate = gate(opens)}, done);
    EXPECT_EQ(cause_of(applied), "lock-lost");
    EXPECT_EQ(names().size(), opens == 0 ? 0U : static_cast<std::size_t>(opens - 1));
    EXPECT_EQ(created().size(), names().size());
  }
}

TEST_F(Fenced, EnsurePinsNothingBehindAClosedGate) {
  put("f", "x", 0644);
  if (mode("f") == 0600U) GTEST_SKIP() << "new files are private here anyway";
  ManifestEntry entry = file("f", 0600);
  entry.pin = true;
  const EnsurePlan plan = plan_ensure({entry}, Purpose::kApply);
  EXPECT_EQ(cause_of(apply_ensure({entry}, plan, {.gate = gate(1)}, done)), "lock-lost");
  EXPECT_FALSE(mode("f") == 0600U);
  EXPECT_TRUE(apply_ensure({entry}, plan, {.gate = gate(2)}, done));
  EXPECT_EQ(mode("f"), 0600U);
}

// A lock that comes into being while a file is changed: the change is undone, waits, and is made
// again on what the holder left.

// Nobody has it at first. Somebody makes and takes it before the first look at it after that, has
// read the file before our change, and writes back what it made of the old content.
class LateLock final : public EditLock {
 public:
  explicit LateLock(std::function<void()> holder) : holder_(std::move(holder)) {}

  Result<std::unique_ptr<Hold>> take(const Target& /*target*/) override {
    if (!there_) return nullptr;
    holder_();
    return std::make_unique<Held>();
  }
  [[nodiscard]] bool exists(const Target& /*target*/) const override {
    there_ = true;
    return true;
  }

 private:
  class Held final : public Hold {
    [[nodiscard]] std::shared_ptr<CommitGate> gate() const override { return nullptr; }
  };
  std::function<void()> holder_;
  mutable bool there_ = false;
};

class EditLockTest : public FileFixture {
 protected:
  [[nodiscard]] ReplaceOptions options(std::string before, std::string after) const {
    ReplaceOptions options;
    options.durability = Durability::kNone;
    options.edit_lock = std::make_shared<LateLock>([this, before, after] {
      EXPECT_EQ(content("f"), before) << "the holder must find the file as it was";
      put("f", after);
    });
    return options;
  }
};

TEST_F(EditLockTest, AWriteIsUndoneAndStandsAtTheEnd) {
  put("f", "old");
  const auto done = replace(at("f"), "new", options("old", "holder's"));
  ASSERT_TRUE(done) << to_sentence(done.error());
  EXPECT_EQ(content("f"), "new");
}

TEST_F(EditLockTest, AWriteInPlaceWaitsToo) {
  put("f", "old");
  ReplaceOptions in_place = options("old", "holder's");
  in_place.how = How::kInPlace;
  ASSERT_TRUE(replace(at("f"), "new", std::move(in_place)));
  EXPECT_EQ(content("f"), "new");
}

TEST_F(EditLockTest, ABlockIsPutIntoWhatTheHolderLeft) {
  put("f", "old\n");
  BlockReport report;
  const BlockFile block{
      .path = at("f"), .syntax = *block_syntax("f", std::nullopt, std::nullopt), .id = "x"};
  const auto done = put_block_in(block, {.content = "inside\n"}, Absent::kRefuse,
                                 options("old\n", "holder's\n"), report);
  ASSERT_TRUE(done) << to_sentence(done.error());
  EXPECT_TRUE(content("f").starts_with("holder's\n"));
  EXPECT_TRUE(content("f").contains("inside"));
}

TEST_F(EditLockTest, AnEntryIsAddedOnce) {
  put("f", "[]\n");
  LedgerAppend how;
  how.replace = options("[]\n", "[{\"holder\":1}]\n");
  const auto done = append_ledger(at("f"), "{\"ours\":1}", how, os::RealClock());
  ASSERT_TRUE(done) << to_sentence(done.error());
  EXPECT_EQ(done->entries, 2U);
  EXPECT_TRUE(content("f").contains("holder"));
}

}  // namespace
}  // namespace holdfast::file
