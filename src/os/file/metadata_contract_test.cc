// SPDX-License-Identifier: Apache-2.0
#include "os/file/metadata.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "os/dir/dir_metadata.h"
#include "os/file/file_system.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

class MetadataContract : public ::testing::Test {
 protected:
  [[nodiscard]] File make(std::string_view name, std::uint32_t mode) const {
    return tmp_.dir().create_file(SafeName::make(name).value(), mode).value().value();
  }

  testing::TempDir tmp_;
};

TEST_F(MetadataContract, ANewFileIsOurs) {
  const File file = make("f", 0600);
  const FileInfo info = file.info().value();
  EXPECT_TRUE(is_own(file, info).value());
  EXPECT_TRUE(is_own(tmp_.dir(), SafeName::make("f").value(), info).value());
}

TEST_F(MetadataContract, TheModeOfANewFileIsShownAsItWasAskedFor) {
  for (const std::uint32_t mode : {0600U, 0644U}) {
    const File file = make("f" + std::to_string(mode), mode);
    EXPECT_EQ(shown_mode(file, file.info().value(), mode).value(), mode);
  }
}

TEST_F(MetadataContract, AModeIsSetAndShown) {
  File file = make("f", 0644);
  ASSERT_TRUE(file.set_mode(0600));
  EXPECT_EQ(shown_mode(file, file.info().value(), 0600).value(), 0600U);
  EXPECT_NE(file.exposure().value().others, Exposure::Others::kWrite);
  ASSERT_TRUE(file.set_mode(0644));
  EXPECT_EQ(shown_mode(file, file.info().value(), 0644).value(), 0644U);
  ASSERT_EQ(tmp_.dir().make_dir("d"_name, 0755).value(), Made::kMade);
  const Dir dir = tmp_.dir().open_dir("d"_name).value();
  ASSERT_TRUE(set_mode(dir, 0700));
  EXPECT_EQ(shown_mode(dir, dir.info().value(), 0700).value(), 0700U);
}

TEST_F(MetadataContract, AttributesOfOneFileAreGivenToAnother) {
  const File from = make("from", 0644);
  const File to = make("to", 0600);
  const auto wanted = read_attributes(from).value();
  for (const Attribute& attribute : wanted) {
    const auto set = set_attribute(to, attribute);
    ASSERT_TRUE(set) << attribute.name << ": " << set.error().detail;
  }
  EXPECT_TRUE(std::ranges::is_sorted(wanted));
  EXPECT_EQ(read_attributes(to).value(), wanted);
}

TEST_F(MetadataContract, AnOrdinaryFileIsNotFixed) {
  const File file = make("f", 0600);
  const Fixity fixed = fixity(tmp_.dir(), SafeName::make("f").value());
  EXPECT_FALSE(fixed.immutable || fixed.append_only || fixed.mount_point);
  EXPECT_FALSE(fixity(tmp_.dir()).append_only);
}

TEST_F(MetadataContract, InADirectoryOfOurOwnSomethingCanBeMade) {
  EXPECT_TRUE(check_may_create(tmp_.dir()));
}

TEST(FileSystemContract, ItHasANameInLowerCaseAndSomeRoom) {
  const holdfast::testing::TempDir temp;
  const auto found = file_system_of(temp.dir());
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->name.empty());
  EXPECT_EQ(found->name.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), std::string::npos);
  ASSERT_TRUE(found->free_bytes);
  EXPECT_GT(*found->free_bytes, 0U);
}

}  // namespace
}  // namespace holdfast::os
