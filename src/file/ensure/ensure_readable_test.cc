// SPDX-License-Identifier: Apache-2.0
//
// readable_by. The temporary directory itself lies below directories that others may search or not;
// so it is opened for all first, and a test says where the way must end.
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <cstring>
#include <filesystem>

#include "file/ensure/ensure_fixture.h"
#include "file/ensure/passwd.h"
#include "file/replace/file_fixture.h"
#include "file/replace/status_linux_fixture.h"

namespace holdfast::file {
namespace {

constexpr Ids kEnsureReadableUser{1234, 4321};

class EnsureReadable : public EnsureFixture {
 protected:
  void SetUp() override {
    ASSERT_EQ(::chmod(tmp_.path().c_str(), 0755), 0);
    ManifestEntry self = dir("probe", 0755);
    self.readable_by = kEnsureReadableUser;
    const auto reachable = ensure({self});
    if (!reachable) GTEST_SKIP() << "others cannot come here: " << to_sentence(reachable.error());
    tmp_.clear();
  }
  static ManifestEntry readable(ManifestEntry entry, Ids user = kEnsureReadableUser) {
    entry.readable_by = user;
    return entry;
  }
};

TEST_F(EnsureReadable, OthersBitsOfEveryDirectoryAndOfTheThingCount) {
  EXPECT_TRUE(ensure({dir("d", 0711), readable(file("d/f", 0644))}));
  EXPECT_TRUE(ensure({readable(dir("e", 0755))}));
  for (const std::uint32_t mode : {0754U, 0751U, 0750U}) {
    EXPECT_EQ(cause_of(ensure({readable(dir("x", mode))})), "not-readable-by") << mode;
  }
  EXPECT_EQ(cause_of(ensure({readable(file("y", 0640))})), "not-readable-by");
}

TEST_F(EnsureReadable, RefusalNamesTheDirectoryInTheWayAndChangesNothing) {
  const auto result = ensure({dir("a", 0755), dir("a/b", 0700), readable(file("a/b/f", 0644))});
  EXPECT_EQ(code_of(result), ErrorCode::kRefused);
  EXPECT_EQ(result.error().subject, at("a/b"));
  EXPECT_TRUE(names().empty());
}

TEST_F(EnsureReadable, OwnerAndGroupBitsCountForThem) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives things away";
  ManifestEntry owned = readable(file("f", 0400));
  owned.owner = kEnsureReadableUser;
  EXPECT_TRUE(ensure({owned}));
  ManifestEntry group = readable(file("g", 0040));
  group.owner = Ids{1, kEnsureReadableUser.gid};
  EXPECT_TRUE(ensure({group}));
  // The owner's bits count for the owner even where others may more.
  ManifestEntry locked_out = readable(file("h", 0044));
  locked_out.owner = kEnsureReadableUser;
  EXPECT_EQ(cause_of(ensure({locked_out})), "not-readable-by");
  ManifestEntry group_out = readable(file("i", 0604));
  group_out.owner = Ids{1, kEnsureReadableUser.gid};
  EXPECT_EQ(cause_of(ensure({group_out})), "not-readable-by");
}

TEST_F(EnsureReadable, WhatIsThereCountsAsItIsUnlessItIsPinned) {
  std::filesystem::create_directory(at("d"));
  ASSERT_EQ(::chmod(at("d").c_str(), 0700), 0);
  EXPECT_EQ(cause_of(ensure({dir("d", 0755), readable(file("d/f", 0644))})), "not-readable-by");
  ManifestEntry pinned = dir("d", 0755);
  pinned.pin = true;
  EXPECT_TRUE(ensure({pinned, readable(file("d/f", 0644))}));
}

TEST_F(EnsureReadable, MadeParentsAreSearchable) {
  const ScopedUmask scoped(077);
  ManifestEntry deep = readable(file("p/q/f", 0644));
  deep.parents = true;
  EXPECT_TRUE(ensure({deep}));
}

TEST_F(EnsureReadable, AccessListIsCannotTell) {
  std::filesystem::create_directory(at("d"));
  // Version 2; owner rwx, user 7 rwx, group r-x, mask r-x, others r-x.
  const unsigned char list[] = {2, 0, 0,   0,   1,   0,   7,  0, 255, 255, 255, 255, 2,   0,  7,
                                0, 7, 0,   0,   0,   4,   0,  5, 0,   255, 255, 255, 255, 16, 0,
                                5, 0, 255, 255, 255, 255, 32, 0, 5,   0,   255, 255, 255, 255};
  if (::setxattr(at("d").c_str(), "system.posix_acl_access", list, sizeof list, 0) != 0) {
    GTEST_SKIP() << "no access lists here: " << std::strerror(errno);
  }
  const auto result = ensure({readable(file("d/f", 0644))});
  EXPECT_EQ(code_of(result), ErrorCode::kCannotTell);
  EXPECT_EQ(cause_of(result), "access-list");
  EXPECT_EQ(result.error().subject, at("d"));
}

TEST_F(EnsureReadable, LookRefusesWhatCannotBeReadAndLeavesTheMissingMissing) {
  put("f", "x", 0640);
  EXPECT_EQ(look(readable(file("f", 0640))).found, Found::kRefused);
  EXPECT_EQ(look(readable(file("none", 0640))).found, Found::kMissing);
}

class Passwd : public FileFixture {
 protected:
  [[nodiscard]] Result<Ids> find(const std::string& name, std::string_view file) const {
    return resolve_owner(OwnerText(UserName{name}), at(file));
  }
};

TEST_F(Passwd, IsReadThroughALink) {
  put("elsewhere", "ops:x:41:42::/:/bin/sh\n");
  ASSERT_EQ(::symlink("elsewhere", at("passwd").c_str()), 0);
  const auto ids = find("ops", "passwd");
  ASSERT_TRUE(ids) << to_sentence(ids.error());
  EXPECT_EQ(ids->uid, 41U);
  EXPECT_EQ(ids->gid, 42U);
  EXPECT_EQ(cause_of(find("nobody_here", "passwd")), "unknown-user");
}

TEST_F(Passwd, ThatIsMissingSaysNothingAboutAUser) {
  const auto ids = find("ops", "passwd");
  ASSERT_FALSE(ids);
  EXPECT_EQ(ids.error().code, ErrorCode::kCannotTell);
  EXPECT_EQ(ids.error().cause, "no-passwd-file");
}

TEST_F(Passwd, IsNotNeededForNumbers) {
  EXPECT_TRUE(resolve_owner(OwnerText(Ids{.uid = 1, .gid = 2}), at("no_such_file")));
}

}  // namespace
}  // namespace holdfast::file
