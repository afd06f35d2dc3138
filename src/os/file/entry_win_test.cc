// SPDX-License-Identifier: Apache-2.0
//
// Links are found out on every component and behind the handle. Under Wine they are made from the
// Unix side (testing/platform_win.cc).
#include "os/file/entry_win.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "os/path/path_win.h"
#include "testing/platform.h"
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

// The bytes as Windows gives them; Wine gives none.

constexpr std::uint32_t kMountPoint = 0xA0000003U;
constexpr std::uint32_t kSymlink = 0xA000000CU;
constexpr std::uint32_t kCloudFile = 0x9000001AU;

using Bytes = std::vector<std::byte>;

template <typename T>
void add(Bytes& bytes, T value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof(value));
  std::memcpy(bytes.data() + at, &value, sizeof(value));
}

// The name for people stands first in the buffer, so that the offset of the other is not 0.
Bytes reparse(std::uint32_t tag, std::wstring_view name, std::uint32_t flags = 0) {
  constexpr std::wstring_view kShown = L"shown";
  const auto shown = static_cast<std::uint16_t>(kShown.size() * sizeof(wchar_t));
  const auto length = static_cast<std::uint16_t>(name.size() * sizeof(wchar_t));
  Bytes bytes;
  add(bytes, tag);
  add(bytes, static_cast<std::uint16_t>((tag == kSymlink ? 12 : 8) + shown + length));
  add(bytes, std::uint16_t{0});
  add(bytes, shown);
  add(bytes, length);
  add(bytes, std::uint16_t{0});
  add(bytes, shown);
  if (tag == kSymlink) add(bytes, flags);
  for (const wchar_t unit : kShown) add(bytes, unit);
  for (const wchar_t unit : name) add(bytes, unit);
  return bytes;
}

ReparseTarget target_of(const Bytes& bytes) {
  const auto parsed = parse_reparse(bytes, "x");
  EXPECT_TRUE(parsed && *parsed);
  return parsed && *parsed ? **parsed : ReparseTarget{};
}

TEST(ReparseWin, AJunctionLeadsToADirectory) {
  const auto target = target_of(reparse(kMountPoint, LR"(\??\C:\real\dir)"));
  EXPECT_EQ(target.text, "C:/real/dir");
  EXPECT_FALSE(target.volume);
}

TEST(ReparseWin, AMountedVolumeIsToldFromAJunction) {
  const auto target =
      target_of(reparse(kMountPoint, LR"(\??\Volume{12345678-0000-0000-0000-000000000000}\)"));
  EXPECT_TRUE(target.volume);
  EXPECT_TRUE(target.text.starts_with('/')) << target.text;
}

TEST(ReparseWin, ALinkIsRelativeOnlyWhereItSaysSo) {
  EXPECT_EQ(target_of(reparse(kSymlink, LR"(..\other)", 1)).text, "../other");
  EXPECT_EQ(target_of(reparse(kSymlink, LR"(..\other)", 0)).text, "/../other");
  EXPECT_EQ(target_of(reparse(kSymlink, LR"(\??\C:\a)", 0)).text, "C:/a");
  EXPECT_EQ(target_of(reparse(kSymlink, LR"(\??\UNC\server\share)", 0)).text, "//server/share");
  EXPECT_EQ(target_of(reparse(kSymlink, LR"(C:drive)", 1)).text, "/C:drive");
}

TEST(ReparseWin, AnotherKindLeadsToNoPath) {
  const auto parsed = parse_reparse(reparse(kCloudFile, L"x"), "x");
  ASSERT_TRUE(parsed);
  EXPECT_FALSE(*parsed);
}

TEST(ReparseWin, CutAtEveryByteItCannotBeToldAndIsNeverNothing) {
  for (const std::uint32_t tag : {kMountPoint, kSymlink}) {
    const Bytes whole = reparse(tag, LR"(\??\C:\real)");
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const auto parsed = parse_reparse(std::span(whole).first(size), "x");
      ASSERT_FALSE(parsed) << size;
      EXPECT_EQ(parsed.error().code, ErrorCode::kCannotTell);
    }
    EXPECT_TRUE(parse_reparse(whole, "x"));
  }
}

TEST(ReparseWin, WhatPointsOutsideIsNotRead) {
  Bytes bytes = reparse(kSymlink, L"name");
  const std::uint16_t outside = 0xFFF0;
  std::memcpy(bytes.data() + 8, &outside, sizeof(outside));
  EXPECT_FALSE(parse_reparse(bytes, "x"));
  bytes = reparse(kSymlink, L"name");
  std::memcpy(bytes.data() + 10, &outside, sizeof(outside));
  EXPECT_FALSE(parse_reparse(bytes, "x"));
  bytes = reparse(kSymlink, L"name");
  const std::uint16_t odd = 3;
  std::memcpy(bytes.data() + 10, &odd, sizeof(odd));
  EXPECT_FALSE(parse_reparse(bytes, "x"));
}

}  // namespace
}  // namespace holdfast::os
