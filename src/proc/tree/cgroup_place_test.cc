// SPDX-License-Identifier: Apache-2.0
#include "proc/tree/cgroup_place.h"

#include <gtest/gtest.h>

#include "os/process/pid.h"
#include "os/stream/control_file.h"

namespace holdfast::proc {
namespace {

using os::operator""_name;

// The first v2 mount: where it is and where in it this process is.
std::string own_v2(std::string_view mountinfo, std::string_view cgroup) {
  for (const CgroupMount& mount : parse_cgroup_mounts(mountinfo, cgroup)) {
    if (mount.v2) return mount.own ? mount.mount + " + " + *mount.own : mount.mount + " hides it";
  }
  return "none";
}

TEST(CgroupPlace, PureV2) {
  EXPECT_EQ(own_v2("30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n",
                   "0::/user.slice/user-1000.slice/session-1.scope\n"),
            "/sys/fs/cgroup + user.slice/user-1000.slice/session-1.scope");
}

TEST(CgroupPlace, BothSideBySide) {
  const auto mounts = parse_cgroup_mounts(
      "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
      "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
      "35 31 0:32 / /sys/fs/cgroup/memory rw shared:9 master:1 - cgroup cgroup rw,memory\n"
      "40 31 0:37 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd\n"
      "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
      "9:name=systemd:/s\n4:memory:/a/b\n1:cpu,cpuacct:/c\n0::/u\n");
  const std::vector<CgroupMount> expected{
      {.v2 = true, .mount = "/sys/fs/cgroup/unified", .own = "u"},
      {.controllers = {"name=systemd"}, .mount = "/sys/fs/cgroup/systemd", .own = "s"},
      {.controllers = {"memory"}, .mount = "/sys/fs/cgroup/memory", .own = "a/b"},
      {.controllers = {"cpu", "cpuacct"}, .mount = "/sys/fs/cgroup/cpu,cpuacct", .own = "c"},
  };
  EXPECT_EQ(mounts, expected);
}

TEST(CgroupPlace, AContainerThatSeesItsOwnPartAsTheWhole) {
  EXPECT_EQ(
      own_v2("9 1 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n", "0::/docker/abc\n"),
      "/sys/fs/cgroup + ");
  EXPECT_EQ(own_v2("9 1 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n",
                   "0::/docker/abc/inner\n"),
            "/sys/fs/cgroup + inner");
}

TEST(CgroupPlace, WhatTheMountDoesNotShowIsNotGuessed) {
  const std::string of_another = "9 1 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
  EXPECT_EQ(own_v2(of_another, "0::/docker/abcdef\n"), "/sys/fs/cgroup hides it");
  EXPECT_EQ(own_v2(of_another, "0::/\n"), "/sys/fs/cgroup hides it");
  EXPECT_EQ(own_v2("9 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n", "0::/../other\n"),
            "/sys/fs/cgroup hides it");
  EXPECT_EQ(own_v2("9 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n", ""),
            "/sys/fs/cgroup hides it");
}

TEST(CgroupPlace, OddNamesAndOddLines) {
  EXPECT_EQ(own_v2("9 1 0:26 /a\\040b /mnt/c\\011\\134d rw - cgroup2 none rw\n", "0::/a b/c:d\n"),
            "/mnt/c\t\\d + c:d");
  EXPECT_EQ(own_v2("\n9 1\n - \n9 1 0:26 / /x rw - cgroup2\ngarbage - cgroup2 a b", "::\n0\n"),
            "none");
}

TEST(CgroupPlace, ThisProcessIsListedInItsOwnGroup) {
  const auto own = OwnCgroups::read();
  ASSERT_TRUE(own);
  const auto place = own->v2();
  if (!place) GTEST_SKIP() << to_sentence(place.error());
  const auto procs = os::read_control(place->dir, "cgroup.procs"_name);
  ASSERT_TRUE(procs && *procs);
  EXPECT_NE(("\n" + **procs).find("\n" + std::to_string(os::number(os::own_pid())) + "\n"),
            std::string::npos);
  EXPECT_NE(place->root, 0U);
}

}  // namespace
}  // namespace holdfast::proc
