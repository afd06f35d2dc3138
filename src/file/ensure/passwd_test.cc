// SPDX-License-Identifier: Apache-2.0
#include "file/ensure/passwd.h"

#include <unistd.h>

#include "file/replace/file_fixture.h"

namespace holdfast::file {
namespace {

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
