// SPDX-License-Identifier: Apache-2.0
//
// What Linux adds to the contract of Dir: umasks, and what an error says about the state left.
#include "os/dir/dir.h"

#include <grp.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "os/dir/dir_names.h"
#include "testing/sys_swap_linux.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

class DirLinux : public ::testing::Test {
 protected:
  [[nodiscard]] bool is_there() const { return tmp_.dir().info("new"_name).value().has_value(); }
  // Makes `new`, as a file or a directory, while some calls fail.
  [[nodiscard]] Error failing(const testing::MissingCalls& missing, bool directory) const {
    testing::OldKernel kernel(missing);
    const testing::ScopedCallHook hook(kernel);
    if (directory) return tmp_.dir().make_dir("new"_name, 0700).error();
    return tmp_.dir().create_file("new"_name, 0600).error();
  }
  testing::TempDir tmp_;
};

constexpr const char* kRemoved = "it was removed again";
constexpr const char* kLeft = "its removal failed";

TEST_F(DirLinux, WhetherAHalfMadeFileIsLeftIsSaidAsItIs) {
  EXPECT_TRUE(failing({{"fchmod", EPERM}}, false).detail.ends_with(kRemoved));
  EXPECT_FALSE(is_there());
  EXPECT_TRUE(failing({{"fchmod", EPERM}, {"unlinkat", EIO}}, false).detail.ends_with(kLeft));
  EXPECT_TRUE(is_there());
}

TEST_F(DirLinux, WhetherAHalfMadeDirectoryIsLeftIsSaidAsItIs) {
  for (const testing::MissingCalls& fault :
       {testing::MissingCalls{{"openat", EMFILE}}, testing::MissingCalls{{"fstat", EIO}}}) {
    EXPECT_TRUE(failing(fault, true).detail.ends_with(kRemoved)) << fault.begin()->first;
    EXPECT_FALSE(is_there());
    testing::MissingCalls both = fault;
    both.emplace("unlinkat", EBUSY);
    EXPECT_TRUE(failing(both, true).detail.ends_with(kLeft)) << fault.begin()->first;
    EXPECT_TRUE(is_there());
    tmp_.clear();
  }
}

TEST_F(DirLinux, TheModeIsExactUnderAnyUmask) {
  const mode_t before = ::umask(0);
  int made = 0;
  for (const mode_t mask : {0U, 022U, 077U, 0400U, 0777U}) {
    ::umask(mask);
    for (const std::uint32_t mode : {0700U, 0755U, 0770U}) {
      const SafeName name = SafeName::make("d" + std::to_string(++made)).value();
      EXPECT_EQ(tmp_.dir().make_dir(name, mode), Made::kMade) << mask;
      EXPECT_EQ(tmp_.dir().info(name).value()->mode, mode) << mask;
    }
  }
  ::umask(before);
}

// Root may open a directory of mode 000; everybody else must get its rights first.
TEST_F(DirLinux, AUmaskThatTakesOnesOwnRightsIsNoObstacle) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to become another user";
  constexpr uid_t kNobody = 65534;
  ASSERT_EQ(tmp_.dir().make_dir("theirs"_name, 0700), Made::kMade);
  ASSERT_EQ(::chown(tmp_.path("theirs").c_str(), kNobody, kNobody), 0);
  const Dir theirs = tmp_.dir().open_dir("theirs"_name).value();
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (::setgroups(0, nullptr) != 0 || ::setresgid(kNobody, kNobody, kNobody) != 0 ||
        ::setresuid(kNobody, kNobody, kNobody) != 0) {
      ::_exit(2);
    }
    ::prctl(PR_SET_DUMPABLE, 1);  // changing the user hid our own /proc from us
    ::umask(0777);
    const auto made = theirs.make_dir("d"_name, 0750);
    if (!made) ::_exit(3);
    ::_exit(theirs.info("d"_name).value()->mode == 0750U ? 0 : 4);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "exit code " << WEXITSTATUS(status);
}

TEST(MakeLink, HoldsItsTargetAsWrittenAndNeverReplaces) {
  const testing::TempDir tmp;
  EXPECT_EQ(*make_link(tmp.dir(), "a"_name, "no/such\nplace"), Placed::kPlaced);
  EXPECT_EQ(*tmp.dir().read_link("a"_name), "no/such\nplace");
  EXPECT_EQ(*make_link(tmp.dir(), "a"_name, "other"), Placed::kNameTaken);
  EXPECT_EQ(*tmp.dir().read_link("a"_name), "no/such\nplace");
}

TEST(MakeLink, ATargetWithANulByteIsRefusedAndNotCut) {
  const testing::TempDir tmp;
  const auto made = make_link(tmp.dir(), "a"_name, std::string("x\0y", 3));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().cause, "unsafe-name");
  EXPECT_FALSE(*tmp.dir().info("a"_name));
}

}  // namespace
}  // namespace holdfast::os
