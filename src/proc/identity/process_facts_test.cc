// SPDX-License-Identifier: Apache-2.0
#include "proc/identity/process_facts.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "os/process/proc_fs.h"

namespace holdfast::proc {
namespace {

const std::string kTail =
    " 7 7 0 -1 4194304 90 0 0 0 0 0 0 0 20 0 1 0 987654321 2703360 276 18446744073709551615\n";

TEST(StatLine, GivesPidParentStateStartNameAndSession) {
  const auto facts = parse_stat_line("42 (sleep) S 7" + kTail);
  ASSERT_TRUE(facts);
  EXPECT_EQ(*facts,
            (ProcessFacts{os::Pid{42}, os::Pid{7}, 'S', 987654321, "sleep", 1, os::Pid{7}}));
}

TEST(StatLine, TellsAForkThatHasNotExecdFromAProgram) {
  EXPECT_FALSE(parse_stat_line("42 (sh) S 7" + kTail)->forked_only);
  std::string tail = kTail;
  tail.replace(tail.find(" 4194304 "), 9, " 4194368 ");
  EXPECT_TRUE(parse_stat_line("42 (sh) S 7" + tail)->forked_only);
}

TEST(StatLine, TellsAKernelThread) {
  EXPECT_FALSE(parse_stat_line("42 (kworker) S 2" + kTail)->kernel_thread);
  std::string tail = kTail;
  tail.replace(tail.find(" 4194304 "), 9, " 69238880 ");  // as of a kworker
  EXPECT_TRUE(parse_stat_line("42 (kworker) S 2" + tail)->kernel_thread);
}

TEST(StatLine, AnEndedFirstThreadIsNoZombieWhileOthersRun) {
  EXPECT_TRUE(parse_stat_line("42 (done) Z 7" + kTail)->is_zombie());
  std::string tail = kTail;
  tail.replace(tail.find(" 20 0 1 0 "), 10, " 20 0 3 0 ");
  const auto facts = parse_stat_line("42 (busy) Z 7" + tail);
  EXPECT_EQ(facts->threads, 3U);
  EXPECT_FALSE(facts->is_zombie());
}

TEST(StatLine, ANameWithBracketsAndSpacesForgesNothing) {
  for (const std::string name : {"a) R 1 (b", ")", "(", "((", "))) Z 1", "a\nb", " ", ""}) {
    std::string line = "42 (";
    line.append(name).append(") S 7").append(kTail);
    const auto facts = parse_stat_line(line);
    ASSERT_TRUE(facts) << name;
    EXPECT_EQ(facts->name, name);
    EXPECT_EQ(facts->parent, os::Pid{7}) << name;
    EXPECT_EQ(facts->start_ticks, 987654321U) << name;
  }
}

TEST(StatLine, CutAtAnyByteIsNeverMisread) {
  const std::string whole = "42 (a b) S 7" + kTail;
  const std::size_t start_ends = whole.find("987654321") + 9;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto facts = parse_stat_line(whole.substr(0, size));
    if (size < start_ends - 8) {
      EXPECT_FALSE(facts) << size;
    } else if (size >= start_ends) {
      EXPECT_TRUE(facts) << size;
    }
  }
}

TEST(StatLine, RefusesWhatIsNoSuchLine) {
  for (const char* line :
       {"", "x", "42", "42 (", "42 (a", "x (a) S 7 1", "42 (a) SS 7", "42 (a)"}) {
    EXPECT_FALSE(parse_stat_line(line)) << line;
  }
}

TEST(StatLine, ReadsTheKernelsOwn) {
  const auto line = os::read_own_proc_file("stat");
  ASSERT_TRUE(line && *line);
  const auto facts = parse_stat_line(**line);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->pid, os::own_pid());
  EXPECT_EQ(facts->state, 'R');
  EXPECT_GT(facts->start_ticks, 0U);
}

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
