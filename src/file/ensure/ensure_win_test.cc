// SPDX-License-Identifier: Apache-2.0
//
// What a mode means here: "for me alone", or whatever the directory passes on.
#include <gtest/gtest.h>

#include "file/ensure/ensure.h"
#include "file/ensure/ensure_fixture.h"
#include "file/ensure/passwd.h"
#include "os/file/metadata.h"

namespace holdfast::file {
namespace {

class EnsureOnWindows : public EnsureFixture {};

TEST_F(EnsureOnWindows, AnOwnerAndAReaderByNumberAreRefusedByName) {
  ManifestEntry owned = file("f");
  owned.owner = Ids{1, 1};
  ManifestEntry read = file("g");
  read.readable_by = Ids{1, 1};
  for (const ManifestEntry& entry : {owned, read}) {
    EXPECT_EQ(cause_of(ensure({entry})), "unsupported");
    EXPECT_EQ(look(entry).found, Found::kRefused);
  }
  EXPECT_EQ(cause_of(resolve_owner(UserName{"root"})), "unsupported");
  EXPECT_TRUE(names().empty());
}

TEST_F(EnsureOnWindows, WhatIsDeclaredPrivateIsMadePrivate) {
  ASSERT_TRUE(ensure({file("f", 0600), dir("d", 0700)}));
  for (const char* name : {"f", "d"}) EXPECT_EQ(mode(name), 0600U) << name;
  ASSERT_TRUE(ensure({file("f", 0600), dir("d", 0700)}));
  EXPECT_EQ(done.present, 2U);
}

TEST_F(EnsureOnWindows, WhatOthersCanReadIsDriftFromPrivateAndIsPinned) {
  put("f", "x");
  if (mode("f") == 0600U) GTEST_SKIP() << "new files are private here anyway";
  ManifestEntry entry = file("f", 0600);
  ASSERT_TRUE(ensure({entry}));
  ASSERT_EQ(done.drift.size(), 1U);
  EXPECT_EQ(done.drift.front().differences.front().what, "mode");
  entry.pin = true;
  const auto pinned = ensure({entry});
  ASSERT_TRUE(pinned) << to_sentence(pinned.error());
  EXPECT_EQ(done.pinned.size(), 1U);
  EXPECT_EQ(mode("f"), 0600U);
  EXPECT_EQ(content("f"), "x");
}

}  // namespace
}  // namespace holdfast::file
