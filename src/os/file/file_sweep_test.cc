// SPDX-License-Identifier: Apache-2.0
//
// Appending under every failing call: what was there before stays, and what is added is a beginning
// of what was to be added. Making room under every failing call: the content stays.
#include <gtest/gtest.h>

#include <cerrno>
#include <optional>
#include <vector>

#include "os/dir/dir.h"
#include "os/file/staged_file.h"
#include "testing/crash_sweep.h"
#include "testing/fault_sweep.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

constexpr std::string_view kOld = "what was there\n";
constexpr std::string_view kNew = "what is added\n";

class FileSweep : public ::testing::Test {
 protected:
  void prepare() {
    tmp_.clear();
    auto file = tmp_.dir().create_file("f"_name, 0600);
    ASSERT_TRUE(file && *file);
    ASSERT_TRUE((*file)->write_all(kOld));
  }
  Result<> append() {
    std::optional<File> file = HF_TRY(tmp_.dir().open_file("f"_name, Access::kAppend));
    HF_TRY(file.value().write_all(kNew));
    HF_TRY(file.value().sync_data());
    return file.value().close();
  }
  std::string content() {
    return tmp_.dir().open_file("f"_name, Access::kRead).value().value().read_all(100'000).value();
  }
  // The old bytes, then a beginning of the new ones; all of them where it succeeded.
  void expect_appended(bool succeeded) {
    const std::string bytes = content();
    const std::string whole = std::string(kOld) + std::string(kNew);
    EXPECT_TRUE(bytes.starts_with(kOld)) << bytes;
    EXPECT_TRUE(whole.starts_with(bytes)) << bytes;
    EXPECT_TRUE(bytes == whole || !succeeded) << bytes;
  }

  testing::TempDir tmp_;
};

TEST_F(FileSweep, AFailedAppendLeavesWhatWasThereAndABeginning) {
  const std::size_t runs = testing::fault_sweep({
      .prepare = [&] { prepare(); },
      .body = [&] { return append().has_value(); },
      .check = [&](const testing::SweepCase&, bool succeeded) { expect_appended(succeeded); },
      .second_faults = true,
  });
  EXPECT_GT(runs, 20U);
}

TEST_F(FileSweep, DeathWhileAppendingLeavesWhatWasThereAndABeginning) {
  const std::size_t mutations = testing::crash_sweep({
      .prepare = [&] { prepare(); },
      .body = [&] { EXPECT_TRUE(append()); },
      .recover = [&](std::size_t died_before) { expect_appended(died_before == 0); },
  });
  EXPECT_EQ(mutations, 2U);  // write, sync
}

TEST_F(FileSweep, MakingRoomNeverTouchesTheContent) {
  constexpr std::uint64_t kRoom = 65536;
  testing::fault_sweep({
      .prepare = [&] { prepare(); },
      .body =
          [&] {
            auto file = tmp_.dir().open_file("f"_name, Access::kReadWrite);
            return file && *file && (*file)->allocate(kRoom) && (*file)->set_mode(0640);
          },
      .check =
          [&](const testing::SweepCase&, bool succeeded) {
            const std::string bytes = content();
            EXPECT_TRUE(bytes.starts_with(kOld));
            EXPECT_EQ(bytes.find_first_not_of('\0', kOld.size()), std::string::npos);
            EXPECT_TRUE(bytes.size() == kRoom || !succeeded) << bytes.size();
          },
  });
}

// The promise of StagedFile under every failing call and every death: under its name there is
// either nothing or the whole file with its exact mode, and nothing else stays behind.

using testing::SweepCase;
using testing::TempDir;

constexpr std::string_view kContent = "{\"v\":1}\n";
constexpr std::uint32_t kMode = 0640;

Result<Placed> create_whole(const Dir& dir) {
  StagedFile staged = HF_TRY(StagedFile::create(dir, kMode));
  HF_TRY(staged.write_all(kContent));
  return staged.publish_new("marker"_name);
}

// "absent", "whole", or what else it is.
std::string state_of_marker(const Dir& dir) {
  auto file = dir.open_file("marker"_name, Access::kRead);
  if (!file) return "unreadable: " + to_sentence(file.error());
  if (!*file) return "absent";
  const auto bytes = (*file)->read_all(1000);
  const auto info = (*file)->info();
  if (!bytes || !info) return "unreadable";
  if (*bytes != kContent) return "torn: '" + *bytes + "'";
  return info->mode == kMode ? "whole" : "whole, but with a wrong mode";
}

std::vector<std::string> names_in(const Dir& dir) {
  std::vector<std::string> names;
  EXPECT_TRUE(dir.each_entry([&](std::string_view name, FileType) {
    names.emplace_back(name);
    return Visit::kContinue;
  }));
  return names;
}

// The sweeps run on three kernels: today's, one without unnamed files, and one without either.
struct Kernel {
  const char* name;
  testing::MissingCalls missing;
};

class StagedFileSweep : public ::testing::TestWithParam<Kernel> {
 protected:
  [[nodiscard]] bool has_unnamed_files() const { return GetParam().missing.empty(); }
  TempDir tmp_;
};

TEST_P(StagedFileSweep, EveryFailingCallLeavesNothingOrTheWholeFile) {
  const std::size_t runs = testing::fault_sweep({
      .prepare = [&] { tmp_.clear(); },
      .body =
          [&] {
            const auto placed = create_whole(tmp_.dir());
            return placed && *placed == Placed::kPlaced;
          },
      .check =
          [&](const SweepCase& fault, bool succeeded) {
            const std::string state = state_of_marker(tmp_.dir());
            EXPECT_TRUE(state == "whole" || (state == "absent" && !succeeded)) << state;
            // Only a stage whose own removal was made to fail may stay.
            for (const std::string& name : names_in(tmp_.dir())) {
              EXPECT_TRUE(name == "marker" || (fault.fails("unlinkat") && is_stage_name(name)))
                  << name;
            }
          },
      .missing = GetParam().missing,
      .second_faults = true,
  });
  EXPECT_GT(runs, 30U);
}

TEST_P(StagedFileSweep, AnErrorThatLeavesTheFileInPlaceIsNotDurableAndNothingElse) {
  ErrorCode code{};
  bool seen = false;
  testing::fault_sweep({
      .prepare = [&] { tmp_.clear(); },
      .body =
          [&] {
            const auto placed = create_whole(tmp_.dir());
            if (!placed) code = placed.error().code;
            return placed.has_value();
          },
      .check =
          [&](const SweepCase&, bool succeeded) {
            if (succeeded) return;
            const bool in_place = state_of_marker(tmp_.dir()) == "whole";
            EXPECT_EQ(code == ErrorCode::kNotDurable, in_place);
            seen = seen || in_place;
          },
      .missing = GetParam().missing,
      .second_faults = true,
  });
  EXPECT_TRUE(seen);  // the directory sync is one such case on every kernel
}

TEST_P(StagedFileSweep, DeathAtEveryMutationLeavesNothingOrTheWholeFile) {
  const std::size_t mutations = testing::crash_sweep({
      .prepare = [&] { tmp_.clear(); },
      .body = [&] { EXPECT_TRUE(create_whole(tmp_.dir())); },
      .recover =
          [&](std::size_t died_before) {
            const std::string state = state_of_marker(tmp_.dir());
            EXPECT_TRUE(state == "whole" || (state == "absent" && died_before != 0)) << state;
            for (const std::string& name : names_in(tmp_.dir())) {
              EXPECT_TRUE(name == "marker" || (!has_unnamed_files() && is_stage_name(name)))
                  << name;
            }
            // The next caller finishes the job, or finds it done.
            EXPECT_TRUE(create_whole(tmp_.dir()));
            EXPECT_EQ(state_of_marker(tmp_.dir()), "whole");
          },
      .missing = GetParam().missing,
  });
  EXPECT_GE(mutations, 6U);  // create, mode, write, sync, name, directory sync
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, StagedFileSweep,
    ::testing::Values(Kernel{"Modern", {}},
                      Kernel{"NoUnnamedFiles", {{"openat_tmpfile", EOPNOTSUPP}}},
                      Kernel{"NoExclusiveRename",
                             {{"openat_tmpfile", EOPNOTSUPP}, {"renameat2", ENOSYS}}}),
    [](const auto& kernel) { return std::string(kernel.param.name); });

}  // namespace
}  // namespace holdfast::os
