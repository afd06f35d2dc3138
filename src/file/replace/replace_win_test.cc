// SPDX-License-Identifier: Apache-2.0
//
// What replacing a file keeps here, and what is in its way.
#include "file/replace/replace.h"

#include <windows.h>
#include <filesystem>
#include <thread>

#include "base/path_text.h"
#include "file/replace/file_fixture.h"
#include "os/dir/dir_metadata.h"
#include "os/file/metadata.h"
#include "testing/sys_swap_win.h"

namespace holdfast::file {
namespace {

constexpr std::uint32_t kForOthers = 077;

struct Place {
  os::Dir dir;
  os::SafeName name;
};

Place place_of(const std::string& path) {
  return {.dir = os::Dir::open(std::string(parent_path(path))).value(),
          .name = os::SafeName::make(last_component(path)).value()};
}

Result<std::uint32_t> shown(const std::string& path, std::uint32_t wanted) {
  const Place place = place_of(path);
  const auto info = HF_TRY(place.dir.info(place.name));
  if (!info) return 0U;
  return os::shown_mode(place.dir, place.name, *info, wanted);
}

}  // namespace

// A new file has what its directory passes on already.
void give_mode(const std::string& path, std::uint32_t mode) {
  if ((mode & kForOthers) != 0) return;
  const Place place = place_of(path);
  if (auto file = place.dir.open_file(place.name, os::Access::kRead); file && *file) {
    ASSERT_TRUE((*file)->set_mode(mode));
    return;
  }
  const auto dir = place.dir.open_dir(place.name);
  ASSERT_TRUE(dir && os::set_mode(*dir, mode)) << path;
}

bool ModeOf::operator==(std::uint32_t mode) const {
  const auto found = shown(path_, mode);
  return found && *found == mode;
}

std::string ModeOf::text() const {
  const auto found = shown(path_, 0600);
  return found ? std::to_string(*found) : found.error().detail;
}

namespace {

class ReplaceOnWindows : public FileFixture {
 protected:
  [[nodiscard]] std::vector<os::Attribute> attributes(std::string_view name) const {
    const auto file = tmp_.dir().open_file(*os::SafeName::make(name), os::Access::kRead);
    return os::read_attributes(**file).value();
  }
  [[nodiscard]] std::wstring wide(std::string_view name) const {
    return std::filesystem::path(at(name)).make_preferred().wstring();
  }
};

TEST_F(ReplaceOnWindows, TheAccessListIsKeptAsItIs) {
  for (const std::uint32_t mode : {0600U, 0644U}) {
    put("f", "old", mode);
    const auto before = attributes("f");
    const auto done = replace(at("f"), "new", {});
    ASSERT_TRUE(done) << to_sentence(done.error());
    EXPECT_EQ(attributes("f"), before);
    EXPECT_EQ(content("f"), "new");
  }
}

// The first flush is that of the content, the second that of the name.
TEST_F(ReplaceOnWindows, ANameThatCannotBeMadeDurableIsSaid) {
  put("f", "old");
  static int flushes = 0;
  flushes = 0;
  const testing::ScopedCall fails(&os::SysTable::FlushFileBuffers, [](HANDLE file) {
    if (++flushes == 1) return ::FlushFileBuffers(file);
    os::set_last_error(ERROR_IO_DEVICE);
    return FALSE;
  });
  for (const char* name : {"f", "new"}) {
    flushes = 0;
    const auto done = replace(at(name), "new", {});
    ASSERT_TRUE(done) << to_sentence(done.error());
    EXPECT_TRUE(done->committed);
    EXPECT_FALSE(done->durable);
    ASSERT_TRUE(done->trouble);
    EXPECT_EQ(done->trouble->code, ErrorCode::kNotDurable);
    EXPECT_EQ(content(name), "new");
  }
}

TEST_F(ReplaceOnWindows, ANameThatIsFlushedIsDurable) {
  put("f", "old");
  const auto done = replace(at("f"), "new", {});
  ASSERT_TRUE(done) << to_sentence(done.error());
  EXPECT_TRUE(done->durable);
  EXPECT_FALSE(replace(at("f"), "other", {.durability = Durability::kData})->durable);
}

TEST_F(ReplaceOnWindows, APrivateFileIsMadePrivateAndAnAskedModeCounts) {
  ASSERT_TRUE(replace(at("f"), "x", {.mode = 0600}));
  EXPECT_EQ(mode("f"), 0600U);
  const auto again = replace(at("f"), "x", {.mode = 0600});
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->changed);
}

TEST_F(ReplaceOnWindows, AnOwnerIsRefusedByName) {
  EXPECT_EQ(cause_of(replace(at("f"), "x", {.owner = Owner{.uid = 1, .gid = 1}})), "unsupported");
  EXPECT_TRUE(names().empty());
}

TEST_F(ReplaceOnWindows, AReadOnlyFileIsRefused) {
  put("f", "old");
  ASSERT_NE(::SetFileAttributesW(wide("f").c_str(), FILE_ATTRIBUTE_READONLY), FALSE);
  EXPECT_EQ(cause_of(replace(at("f"), "new", {})), "immutable");
  ASSERT_NE(::SetFileAttributesW(wide("f").c_str(), FILE_ATTRIBUTE_NORMAL), FALSE);
  EXPECT_EQ(content("f"), "old");
}

// A program that has the file open and shares nothing is in the way for as long as that, and the
// old file stays whole.
TEST_F(ReplaceOnWindows, WhoKeepsTheFileToHimselfMakesItBusy) {
  put("f", "old");
  const HANDLE held = ::CreateFileW(wide("f").c_str(), GENERIC_READ, FILE_SHARE_READ, nullptr,
                                    OPEN_EXISTING, 0, nullptr);
  ASSERT_NE(reinterpret_cast<std::intptr_t>(held), -1);
  const auto done = replace(at("f"), "new", {});
  EXPECT_EQ(code_of(done), ErrorCode::kBusy) << cause_of(done);
  EXPECT_NE(cause_of(done), "is-mount-point");
  ::CloseHandle(held);
  EXPECT_EQ(content("f"), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"f"});
  EXPECT_TRUE(replace(at("f"), "new", {}));
}

TEST_F(ReplaceOnWindows, WhoHasItOpenForAMomentIsWaitedFor) {
  put("f", "old");
  const HANDLE held = ::CreateFileW(wide("f").c_str(), GENERIC_READ, FILE_SHARE_READ, nullptr,
                                    OPEN_EXISTING, 0, nullptr);
  ASSERT_NE(reinterpret_cast<std::intptr_t>(held), -1);
  std::thread other([&] {
    ::Sleep(100);
    ::CloseHandle(held);
  });
  const auto done = replace(at("f"), "new", {});
  other.join();
  ASSERT_TRUE(done) << to_sentence(done.error());
  EXPECT_EQ(content("f"), "new");
}

TEST_F(ReplaceOnWindows, NamesThatWindowsReadsOtherwiseAreRefused) {
  for (const char* name : {"f:stream", "nul", "con.txt", "f.", "f ", "a?b", "COM1"}) {
    EXPECT_EQ(cause_of(replace(at(name), "x", {})), "unsafe-name") << name;
  }
  EXPECT_TRUE(names().empty());
}

TEST_F(ReplaceOnWindows, CaseIsNoOtherFile) {
  put("File", "old");
  ASSERT_TRUE(replace(at("FILE"), "new", {}));
  EXPECT_EQ(content("File"), "new");
  EXPECT_EQ(names().size(), 1U);
}

}  // namespace
}  // namespace holdfast::file
