// SPDX-License-Identifier: Apache-2.0
//
// Managed blocks under every failing call and every death: the file is the whole old or the whole
// new text with its mode, what is outside of the block is the same in both, success means new, and
// a failure leaves nothing else behind.
#include <gtest/gtest.h>

#include "file/block/block_edit.h"
#include "file/replace/backup.h"
#include "file/replace/file_fixture.h"
#include "os/file/staged_file.h"
#include "testing/crash_sweep.h"
#include "testing/fault_sweep.h"

namespace holdfast::file {
namespace {

using testing::SweepCase;

constexpr std::string_view kBlockSweepUser = "first\r\n# a note\r\nlast, without a newline";
constexpr std::string_view kOther =
    "# >>> holdfast other sha256:e3b0c44298fc1c14\r\n# <<< holdfast other\r\n";

enum class Work : std::uint8_t { kPutNew, kPutOver, kRemove, kStrip, kCreate };

struct BlockSweepWay {
  const char* name;
  Work work;
  Durability durability = Durability::kFull;
};

void PrintTo(const BlockSweepWay& way, std::ostream* out) { *out << way.name; }

class BlockSweep : public FileFixture, public ::testing::WithParamInterface<BlockSweepWay> {
 protected:
  BlockFile block() const {
    return {.path = at("f"), .syntax = *block_syntax("f", {}, {}), .id = "a"};
  }
  ReplaceOptions options() const { return {.durability = GetParam().durability}; }

  // The text that is there before the work.
  std::string before() const {
    const std::string user = std::string(kOther) + std::string(kBlockSweepUser);
    switch (GetParam().work) {
      case Work::kPutNew:
        return user;
      case Work::kPutOver:
      case Work::kRemove:
        return user + "\r\n# >>> holdfast a sha256:73cb3858a687a849\r\nx\r\n# <<< holdfast a";
      case Work::kStrip:
        return "# <<< holdfast a\r\n" + user;
      case Work::kCreate:
        return "(absent)";
    }
    return {};
  }
  void prepare() {
    tmp_.clear();
    if (GetParam().work != Work::kCreate) put("f", before(), 0640);
  }
  bool work() {
    BlockReport report;
    switch (GetParam().work) {
      case Work::kRemove:
        return remove_block_from(block(), Edits::kRefuse, options(), report).has_value();
      case Work::kStrip:
        return strip_orphans(block(), options(), report).has_value();
      default:
        return put_block_in(block(), {.content = "new\n"}, Absent::kCreate, options(), report)
            .has_value();
    }
  }
  // What an undisturbed run makes of it.
  std::string after() {
    prepare();
    EXPECT_TRUE(work());
    return content("f");
  }
  void expect_whole(const std::string& wanted) const {
    EXPECT_EQ(content("f"), wanted);
    if (wanted != "(absent)" && GetParam().work != Work::kCreate) {
      EXPECT_EQ(mode("f"), 0640U);
    }
  }
  // What cannot be removed, or cannot be told from somebody else's file (swap.cc), is left and
  // named.
  static bool may_stay(const SweepCase& fault) {
    return fault.fails("unlinkat") || fault.fails("fstatat");
  }
  bool may_be_there(const std::string& name, const SweepCase& fault) const {
    const bool backup = is_backup_of(name, *os::SafeName::make("f"));
    return name == "f" || name == os::kDirLockName.text() ||
           (backup && GetParam().work == Work::kStrip) ||
           ((backup || os::is_stage_name(name)) && may_stay(fault));
  }
};

TEST_P(BlockSweep, EveryFailingCallLeavesTheWholeOldOrTheWholeNewText) {
  const std::string done = after();
  const std::string old = before();
  ASSERT_NE(done, old);
  const std::size_t runs = testing::fault_sweep({
      .prepare = [&] { prepare(); },
      .body = [&] { return work(); },
      .check =
          [&](const SweepCase& fault, bool succeeded) {
            expect_whole(succeeded ? done : old);
            for (const std::string& name : names()) {
              EXPECT_TRUE(may_be_there(name, fault)) << name;
            }
          },
  });
  EXPECT_GT(runs, 30U);
}

TEST_P(BlockSweep, EveryDeathLeavesTheWholeOldOrTheWholeNewText) {
  const std::string done = after();
  const std::string old = before();
  const std::size_t mutations = testing::crash_sweep({
      .prepare = [&] { prepare(); },
      .body = [&] { EXPECT_TRUE(work()); },
      .recover =
          [&](std::size_t died_before) {
            const bool is_old = content("f") == old;
            EXPECT_TRUE(!is_old || died_before != 0);
            expect_whole(is_old ? old : done);
            // The next one gets on with what is left, and ends where the first would have.
            if (is_old) {
              EXPECT_TRUE(work());
            }
            expect_whole(done);
          },
  });
  EXPECT_GT(mutations, 2U);
}

INSTANTIATE_TEST_SUITE_P(
    Blocks, BlockSweep,
    ::testing::Values(BlockSweepWay{"PutNew", Work::kPutNew},
                      BlockSweepWay{"PutOver", Work::kPutOver},
                      BlockSweepWay{"Remove", Work::kRemove}, BlockSweepWay{"Strip", Work::kStrip},
                      BlockSweepWay{"Create", Work::kCreate},
                      BlockSweepWay{"PutOverQuickly", Work::kPutOver, Durability::kNone}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace holdfast::file
