// SPDX-License-Identifier: Apache-2.0
//
// What only Linux has: mode bits, FIFOs and sockets, and links that anybody can make.
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "file/replace/status_linux_fixture.h"
#include "file/tree/copy_tree.h"
#include "file/tree/copy_tree_fixture.h"

namespace holdfast::file {
namespace {

class CopyTreeOnLinux : public CopyTreeFixture {};

TEST_F(CopyTreeOnLinux, TheCopyIsWholeAndNobodyMayDoMoreWithIt) {
  make_tree();
  put("from/setid", "x", 06755);
  put("from/read-only", "x", 0400);
  ASSERT_TRUE(copy(os::Durability::kFull));
  EXPECT_EQ(content("to/plain"), "plain");
  EXPECT_EQ(mode("to/plain"), 0644U);
  EXPECT_EQ(mode("to/secret"), 0600U);
  EXPECT_EQ(mode("to/setid"), 0755U);
  EXPECT_EQ(mode("to/read-only"), 0400U);
  EXPECT_EQ(mode("to/dir/deep"), 0555U);
  EXPECT_EQ(mode("to/dir/deep/script"), 0755U);
  EXPECT_EQ(fs::read_symlink(at("to/dir/deep/link")), "../../plain");
}

TEST_F(CopyTreeOnLinux, HardLinksBecomeFilesOfTheirOwn) {
  put("from/one", "text");
  fs::create_hard_link(at("from/one"), at("from/two"));
  ASSERT_TRUE(copy());
  EXPECT_EQ(status_of(at("to/one")).st_nlink, 1U);
  EXPECT_NE(status_of(at("to/one")).st_ino, status_of(at("to/two")).st_ino);
}

TEST_F(CopyTreeOnLinux, ALinkThatLeavesTheTreeIsRefusedBeforeAnythingIsCopied) {
  put("from/a", "first");
  fs::create_symlink("/etc/passwd", at("from/link"));
  const auto copied = copy();
  ASSERT_FALSE(copied);
  EXPECT_EQ(copied.error().cause, "unsafe-link");
  EXPECT_EQ(copied.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(copied.error().subject, at("from/link"));
  EXPECT_TRUE(fs::is_empty(at("to")));
}

TEST_F(CopyTreeOnLinux, WhatIsNoFileIsRefused) {
  ASSERT_EQ(::mkfifo(at("from/fifo").c_str(), 0600), 0);
  EXPECT_EQ(refusal(), "special-file");
  fs::remove(at("from/fifo"));
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  at("from/s").copy(&address.sun_path[0], sizeof(address.sun_path) - 1);
  ASSERT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  ::close(fd);
  EXPECT_EQ(refusal(), "special-file");
}

TEST_F(CopyTreeOnLinux, WhatWasSwappedOrChangedSinceTheLookIsNotCopied) {
  const auto after = [&](const std::function<void()>& change) {
    clear();
    put("from/file", "text");
    fs::create_directory(at("from/dir"));
    put("key", "the key");
    const os::Dir from = *os::Dir::open(at("from"));
    const os::Dir to = *os::Dir::open(at("to"));
    const TreePlan planned = *plan_tree(from, nullptr);
    change();
    const auto copied = copy_tree(from, planned, to, os::Durability::kNone);
    remove_copy(planned, to);
    EXPECT_TRUE(fs::is_empty(at("to")));
    return copied ? "(copied)" : copied.error().cause;
  };
  EXPECT_EQ(after([] {}), "(copied)");
  EXPECT_EQ(after([&] { put("from/file", "longer text"); }), "changed-meanwhile");
  EXPECT_EQ(after([&] { put("from/dir/new", ""); }), "changed-meanwhile");
  EXPECT_EQ(after([&] { put("from/new", ""); }), "changed-meanwhile");
  EXPECT_EQ(after([&] {
              fs::remove(at("from/file"));
              fs::create_symlink(at("key"), at("from/file"));
            }),
            "changed-meanwhile");
}

}  // namespace
}  // namespace holdfast::file
