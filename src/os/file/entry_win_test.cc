// SPDX-License-Identifier: Apache-2.0
//
// Links are found out on every component and behind the handle. Under Wine they are made from the
// Unix side (testing/links_win.cc).
#include "os/file/entry_win.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "os/path/path_win.h"
#include "testing/links.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

class Entry : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(tmp_.path("real/inner"));
    std::ofstream(tmp_.path("real/file")) << "x";
  }
  [[nodiscard]] std::string at(std::string_view name) const {
    return absolute_path(tmp_.path(name)).value();
  }
  [[nodiscard]] Opened open(std::string_view name) const {
    return open_itself(at(name), FILE_READ_ATTRIBUTES | SYNCHRONIZE, kDenyNobody).value();
  }

  testing::TempDir tmp_;
};

TEST_F(Entry, WhatIsNoLinkIsNone) {
  for (const char* name : {"real", "real/inner", "real/file"}) {
    const Opened opened = open(name);
    ASSERT_TRUE(opened.handle.valid()) << name;
    EXPECT_FALSE(leads_elsewhere(opened.handle, at(name)).value()) << name;
    EXPECT_TRUE(refuse_links(opened.handle, at(name), tmp_.dir().path())) << name;
    EXPECT_EQ(first_link_on(at(name), tmp_.dir().path()).value(), "") << name;
  }
}

TEST_F(Entry, CaseIsNoOtherPlace) {
  const Opened opened = open("REAL/FILE");
  ASSERT_TRUE(opened.handle.valid());
  EXPECT_FALSE(leads_elsewhere(opened.handle, at("REAL/FILE")).value());
}

TEST_F(Entry, ALinkToADirectoryIsFoundOnEveryComponent) {
  if (!testing::make_dir_link(tmp_.path("real"), tmp_.path("link"))) GTEST_SKIP() << "no links";
  for (const char* name : {"link", "link/inner", "link/file"}) {
    EXPECT_EQ(first_link_on(at(name), tmp_.dir().path()).value(), at("link")) << name;
    const Opened opened = open(name);
    ASSERT_TRUE(opened.handle.valid()) << name;
    const auto refused = refuse_links(opened.handle, at(name), tmp_.dir().path());
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().cause, "is-link");
    EXPECT_EQ(refused.error().subject, at(name == std::string_view("link") ? name : "link"));
  }
}

TEST_F(Entry, ALinkToAFileIsFoundOnOrBehindTheHandle) {
  if (!testing::make_file_link(tmp_.path("real/file"), tmp_.path("link"))) {
    GTEST_SKIP() << "no links to files";
  }
  const Opened opened = open("link");
  ASSERT_TRUE(opened.handle.valid());
  EXPECT_EQ(look_at_entry(opened, at("link")).value().info.type, FileType::kLink);
  EXPECT_FALSE(refuse_links(opened.handle, at("link"), tmp_.dir().path()));
}

TEST_F(Entry, AFileIsReplacedByHandleAndNeverWhereThatWasNotAsked) {
  std::ofstream(tmp_.path("new")) << "new";
  const Opened opened =
      open_itself(at("new"), DELETE | FILE_READ_ATTRIBUTES | SYNCHRONIZE, kDenyNobody).value();
  ASSERT_TRUE(opened.handle.valid());
  const std::wstring to = extended_path(at("real/file")).value();
  EXPECT_FALSE(give_name(handle_of(opened.handle), to, IfTaken::kFail));
  EXPECT_TRUE(is_taken(last_error()));
  EXPECT_TRUE(give_name(handle_of(opened.handle), to, IfTaken::kReplace)) << last_error();
}

TEST_F(Entry, PatienceComesToAnEnd) {
  const std::uint64_t start = sys().GetTickCount64();
  Patience patience;
  while (patience.wait()) {
  }
  const std::uint64_t waited = sys().GetTickCount64() - start;
  EXPECT_GE(waited, 2000U);
  EXPECT_LT(waited, 20'000U);
}

}  // namespace
}  // namespace holdfast::os
