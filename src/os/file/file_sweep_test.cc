// SPDX-License-Identifier: Apache-2.0
//
// Appending under every failing call: what was there before stays, and what is added is a beginning
// of what was to be added. Making room under every failing call: the content stays.
#include <gtest/gtest.h>

#include <optional>

#include "os/dir/dir.h"
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

}  // namespace
}  // namespace holdfast::os
