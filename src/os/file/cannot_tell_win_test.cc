// SPDX-License-Identifier: Apache-2.0
//
// A call that fails says nothing: neither that a process lives or has ended, nor that a file is
// gone or that there is no link.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "os/dir/remove_tree.h"
#include "os/file/entry_win.h"
#include "os/machine/real_clock.h"
#include "os/path/path_win.h"
#include "os/process/pidfd.h"
#include "os/process/process_list.h"
#include "os/spawn/child.h"
#include "os/watch/watch.h"
#include "testing/programs.h"
#include "testing/sys_swap_win.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

namespace fs = std::filesystem;

DWORD wait_fails(HANDLE, DWORD) {
  set_last_error(ERROR_INVALID_HANDLE);
  return WAIT_FAILED;
}

DWORD look_is_denied(const wchar_t*) {
  set_last_error(ERROR_ACCESS_DENIED);
  return kNoAttributes;
}

// A process of its own: what was told once is remembered.
TEST(CannotTellChild, DISABLED_OfTheBoot) {
  {
    const testing::ScopedCall fails(&SysTable::QueryBootMoment, [](std::uint64_t*) {
      set_last_error(ERROR_CALL_NOT_IMPLEMENTED);
      return FALSE;
    });
    testing::tell(process_birth(own_pid()) ? "told" : "not told");
  }
  const auto birth = process_birth(own_pid());
  testing::tell(birth && *birth ? "told" : "not told");
}

TEST(CannotTell, WithoutTheMomentOfTheBootNoStartIsToldAndThatIsNotRemembered) {
  testing::OwnStart child({.test = "CannotTellChild.DISABLED_OfTheBoot"});
  EXPECT_EQ(child.hear(), "not told");
  EXPECT_EQ(child.hear(), "told");
}

TEST(CannotTell, AWaitThatFailsSaysNeitherThatSomebodyLivesNorThatSomebodyEnded) {
  const auto self = open_pidfd(own_pid());
  ASSERT_TRUE(self && *self);
  const testing::ScopedCall fails(&SysTable::WaitForSingleObject, wait_fails);
  EXPECT_FALSE(process_birth(**self));
  EXPECT_FALSE(has_ended(**self));
}

TEST(CannotTell, AWatchThatFailsIsNotQuiet) {
  const testing::TempDir tmp;
  auto watch = DirWatch::open(tmp.dir());
  ASSERT_TRUE(watch);
  EXPECT_TRUE(watch->drain());
  const testing::ScopedCall fails(&SysTable::WaitForSingleObject, wait_fails);
  EXPECT_FALSE(watch->drain());
}

TEST(CannotTell, WhatCannotBeLookedAtMayBeALink) {
  const testing::TempDir tmp;
  std::ofstream(tmp.path("file")) << "x";
  const std::string path = absolute_path(tmp.path("file")).value();
  const Opened opened = open_itself(path, FILE_READ_ATTRIBUTES | SYNCHRONIZE, kDenyNobody).value();
  ASSERT_TRUE(opened.handle.valid());
  const testing::ScopedCall fails(&SysTable::GetFileAttributesW, look_is_denied);
  EXPECT_FALSE(first_link_on(path, tmp.dir().path()));
  EXPECT_FALSE(refuse_links(opened.handle, path, tmp.dir().path()));
  // On Windows the handle itself has told.
  EXPECT_EQ(look_at_entry(opened, path).has_value(), !under_wine());
}

TEST(CannotTell, WhatIsNeitherRemovedNorSeenIsNotGone) {
  const testing::TempDir tmp;
  fs::create_directories(tmp.path("tree"));
  std::ofstream(tmp.path("tree/file")) << "x";
  const testing::ScopedCall stays(&SysTable::SetFileInformationByHandle,
                                  [](HANDLE, FILE_INFO_BY_HANDLE_CLASS, void*, DWORD) {
                                    set_last_error(ERROR_ACCESS_DENIED);
                                    return FALSE;
                                  });
  static int looks = 0;
  looks = 0;
  const testing::ScopedCall denied(&SysTable::GetFileAttributesW, [](const wchar_t* path) {
    // The first two are those that look for links.
    return ++looks <= 2 ? ::GetFileAttributesW(path) : look_is_denied(path);
  });
  const TreeRemoval removal = remove_tree(tmp.dir(), "tree"_name);
  EXPECT_FALSE(removal.gone);
  EXPECT_EQ(removal.removed, 0U);
  EXPECT_GE(removal.faults, 1U);
}

}  // namespace
}  // namespace holdfast::os
