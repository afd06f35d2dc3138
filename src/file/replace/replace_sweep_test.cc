// SPDX-License-Identifier: Apache-2.0
//
// The promise of a replacement under every failing call and every death: the target is the whole
// old or the whole new file with its mode; success means new; after a failure nothing else stays.
#include <gtest/gtest.h>

#include <cerrno>

#include "file/replace/backup.h"
#include "file/replace/file_fixture.h"
#include "file/replace/in_place.h"
#include "file/tree/copy_tree_fixture.h"
#include "os/file/staged_file.h"
#include "testing/crash_sweep.h"
#include "testing/fault_sweep.h"

namespace holdfast::file {
namespace {

using testing::SweepCase;

constexpr std::string_view kReplaceSweepOld = "the old content, which is longer\n";
constexpr std::string_view kReplaceSweepNew = "the new content\n";

// What is swept: a way to replace, on a kernel.
struct ReplaceSweepWay {
  const char* name;
  ReplaceOptions options;
  bool exists = true;  // the target, before
  testing::MissingCalls missing{};
};

void PrintTo(const ReplaceSweepWay& way, std::ostream* out) { *out << way.name; }

class ReplaceSweep : public FileFixture, public ::testing::WithParamInterface<ReplaceSweepWay> {
 protected:
  // What a process does once for all (a mark against forks) must not be counted in the first run.
  void SetUp() override { ASSERT_TRUE(replace(at("first"), "x", {})); }

  void prepare() {
    tmp_.clear();
    if (GetParam().exists) put("f", kReplaceSweepOld, 0640);
  }
  [[nodiscard]] std::string state() const {
    const std::string now = content("f");
    if (now == "(absent)") return GetParam().exists ? "gone" : "old";
    if (now == kReplaceSweepNew) return mode("f") == 0640 ? "new" : "new, with a wrong mode";
    if (now == kReplaceSweepOld && GetParam().exists)
      return mode("f") == 0640 ? "old" : "old, wrong mode";
    return "torn: " + now;
  }
  [[nodiscard]] bool has_leftover_now() const {
    const std::vector<std::string> all = names();
    return std::ranges::find(all, ".f.hf-undo") != all.end();
  }
  // Where it cannot be removed, or where nobody can see any more whose it is, it is kept.
  [[nodiscard]] static bool may_leave_a_stage(const SweepCase& fault) {
    return fault.fails("unlinkat") || fault.fails("fstatat") ||
           (fault.fails("renameat2_exchange") && !fault.second_call.empty());
  }
  // Whatever else may be in the directory.
  [[nodiscard]] static bool is_backup(const std::string& name) {
    return is_backup_of(name, *os::SafeName::make("f")) || name.starts_with("f.cut-");
  }
};

TEST_P(ReplaceSweep, EveryFailingCallLeavesTheWholeOldOrTheWholeNewFile) {
  const ReplaceSweepWay& way = GetParam();
  std::optional<Replaced> done;
  const std::size_t runs = testing::fault_sweep({
      .prepare = [&] { prepare(); },
      .body =
          [&] {
            done.reset();
            const auto result = replace(at("f"), kReplaceSweepNew, way.options);
            if (result) done = *result;
            return result.has_value();
          },
      .check =
          [&](const SweepCase& fault, bool succeeded) {
            const bool in_place = way.options.how == How::kInPlace;
            // A file that could not even be put back has its undo file, and the next job does it.
            if (in_place && !succeeded && has_leftover_now()) {
              const auto next = Replacement::begin(at("f"), way.options);
              EXPECT_TRUE(next) << to_sentence(next.error());
            }
            EXPECT_EQ(state(), succeeded ? "new" : "old");
            if (done && way.options.durability == Durability::kFull && !done->durable) {
              EXPECT_TRUE(done->trouble) << "not durable, and nobody says so";
            }
            if (done && done->durable) {
              EXPECT_FALSE(fault.for_good && fault.call == "fsync") << "durable without a sync";
            }
            // A backup that could not be made of the displaced file: it is kept, and that is said.
            const bool said_so = done && done->trouble && done->trouble->cause == "backup-not-kept";
            for (const std::string& name : names()) {
              const bool allowed =
                  name == "f" || name == os::kDirLockName.text() ||
                  (is_backup(name) &&
                   (way.options.backups > 0 || in_place || may_leave_a_stage(fault))) ||
                  (os::is_stage_name(name) && (may_leave_a_stage(fault) || said_so));
              EXPECT_TRUE(allowed) << name;
            }
          },
      .missing = way.missing,
      .second_faults = true,
  });
  EXPECT_GT(runs, 60U);
}

TEST_P(ReplaceSweep, EveryDeathLeavesTheWholeOldOrTheWholeNewFile) {
  const ReplaceSweepWay& way = GetParam();
  const std::size_t mutations = testing::crash_sweep({
      .prepare = [&] { prepare(); },
      .body = [&] { EXPECT_TRUE(replace(at("f"), kReplaceSweepNew, way.options)); },
      .recover =
          [&](std::size_t died_before) {
            if (way.options.how == How::kInPlace) {
              const auto next = Replacement::begin(at("f"), way.options);
              EXPECT_TRUE(next) << to_sentence(next.error());
            }
            const std::string now = state();
            EXPECT_TRUE(now == "new" || (now == "old" && died_before != 0)) << now;
            // The next one is not hindered by what is left.
            const auto again = replace(at("f"), "third\n", way.options);
            EXPECT_TRUE(again) << to_sentence(again.error());
            EXPECT_EQ(content("f"), "third\n");
            for (const std::string& name : names()) {
              EXPECT_TRUE(name == "f" || is_backup(name) || os::is_stage_name(name)) << name;
            }
          },
      .missing = way.missing,
  });
  EXPECT_GT(mutations, 3U);
}

const ReplaceOptions kModes{.mode = 0640};
const testing::MissingCalls kNoExchange{{"renameat2_exchange", EINVAL}};
const testing::MissingCalls kNoUnnamed{{"openat_tmpfile", EOPNOTSUPP}};

INSTANTIATE_TEST_SUITE_P(
    Ways, ReplaceSweep,
    ::testing::Values(
        ReplaceSweepWay{.name = "existing", .options = {}},
        ReplaceSweepWay{.name = "fresh", .options = kModes, .exists = false},
        ReplaceSweepWay{.name = "backup", .options = {.backups = 2}},
        ReplaceSweepWay{.name = "in_place", .options = {.how = How::kInPlace}},
        ReplaceSweepWay{.name = "in_place_backup", .options = {.how = How::kInPlace, .backups = 1}},
        ReplaceSweepWay{.name = "locked_edit",
                        .options = {.locking = Locking::kFromBegin, .base = Base::kAsRead}},
        ReplaceSweepWay{.name = "no_exchange", .options = {}, .missing = kNoExchange},
        ReplaceSweepWay{
            .name = "no_exchange_backup", .options = {.backups = 1}, .missing = kNoExchange},
        ReplaceSweepWay{.name = "no_unnamed_files", .options = {}, .missing = kNoUnnamed}),
    [](const auto& way) { return std::string(way.param.name); });

using CopyTreeSweep = CopyTreeFixture;

TEST_F(CopyTreeSweep, EveryFailingCallLeavesNothingOrTheWhole) {
  const std::size_t runs = testing::fault_sweep({
      .prepare =
          [&] {
            clear();
            make_tree();
          },
      .body = [&] { return copy(os::Durability::kFull).has_value(); },
      .check =
          [&](const testing::SweepCase& fault, bool succeeded) {
            // Where the removal fails as well, something is left.
            if (!succeeded && !(fault.for_good && fault.call != "fsync")) {
              EXPECT_TRUE(fs::is_empty(at("to"))) << fault.description;
            }
            if (!succeeded) return;
            EXPECT_EQ(content("to/dir/deep/script"), "#!");
            EXPECT_EQ(mode("to/secret"), 0600U);
            EXPECT_EQ(mode("to/dir/deep"), 0555U);
          },
  });
  EXPECT_GT(runs, 100U);
  clear();
}

}  // namespace
}  // namespace holdfast::file
