// SPDX-License-Identifier: Apache-2.0
#include "proc/identity/status_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "os/process/proc_fs.h"

namespace holdfast::proc {
namespace {

const std::string kText =
    "Name:\tsleep\nUmask:\t0022\nTgid:\t42\nNgid:\t0\nPid:\t43\nUid:\t1000\t65534\t0\t1\nGid:"
    "\t5\t6\nNSpid:\t43\t7\t1\nx\n";

TEST(StatusText, GivesTheProcessAndItsEffectiveUser) {
  const auto facts = parse_status_text(kText);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->process, os::Pid{42});
  EXPECT_EQ(facts->uid, 65534U);
  EXPECT_EQ(facts->pid_levels, 3);
  EXPECT_TRUE(facts->namespace_init);
}

TEST(StatusText, OnlyTheLastNumberMakesAnInit) {
  const std::string before = kText.substr(0, kText.find("NSpid"));
  for (const char* line :
       {"NSpid:\t1\n", "NSpid:\t1\t7\n", "NSpid:\t43\t1\t7\n", "NSpid:\t43\t11\n"}) {
    const auto facts = parse_status_text(before + line);
    ASSERT_TRUE(facts) << line;
    EXPECT_FALSE(facts->namespace_init) << line;
  }
}

TEST(StatusText, CutAtAnyByteIsNeverMisread) {
  for (std::size_t size = 0; size < kText.size(); ++size) {
    const auto facts = parse_status_text(kText.substr(0, size));
    if (!facts) continue;
    EXPECT_EQ(facts->process, os::Pid{42}) << size;
    EXPECT_EQ(facts->uid, 65534U) << size;
    EXPECT_TRUE(facts->pid_levels == 0 || facts->pid_levels == 3) << size;
  }
}

TEST(StatusText, RefusesWhatIsNoSuchText) {
  for (const char* text : {"", "Tgid:\t1\nUid:\t1\t2\t3\t4\n", "x\nTgid:\tx\nUid:\t1\t2\n",
                           "x\nTgid:\t1\nUid:\t1\n", "x\nTgid:\t1\nUid:\t1\t-2\n"}) {
    EXPECT_FALSE(parse_status_text(text)) << text;
  }
}

TEST(StatusText, ReadsTheKernelsOwn) {
  const auto text = os::read_own_proc_file("status");
  ASSERT_TRUE(text && *text);
  const auto facts = parse_status_text(**text);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->process, os::own_pid());
  EXPECT_EQ(facts->uid, ::geteuid());
}

}  // namespace
}  // namespace holdfast::proc
