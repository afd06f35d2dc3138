// SPDX-License-Identifier: Apache-2.0
//
// A lock that comes into being while a file is changed: the change is undone, waits, and is made
// again on what the holder left.
#include "file/replace/edit_lock.h"

#include <gtest/gtest.h>

#include "file/block/block_edit.h"
#include "file/ledger/ledger.h"
#include "file/replace/file_fixture.h"
#include "os/machine/real_clock.h"

namespace holdfast::file {
namespace {

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
