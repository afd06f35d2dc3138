// SPDX-License-Identifier: Apache-2.0
#include "session/record/session_fixture.h"
#include "testing/platform.h"

namespace holdfast::session {
namespace {

TEST_F(Archive, RecordAndLogGoAndTheSessionStaysKnown) {
  const SessionRecord record = write(3);
  put("out.log.1", "old ");
  put("out.log", "new");
  put("notes.txt", "the harness's own");
  ASSERT_TRUE(dir_.archive(3));
  EXPECT_FALSE(exists("out.log"));
  EXPECT_EQ(content("runs/3/out.log.1"), "old ");
  EXPECT_EQ(content("runs/3/out.log"), "new");
  EXPECT_EQ(content("notes.txt"), "the harness's own");
  EXPECT_TRUE(*dir_.read() == record);
  EXPECT_EQ(*dir_.next_number(), 4U);
  EXPECT_EQ(read(3), "old new");

  write(4, 2);
  append("next");
  EXPECT_TRUE(*dir_.read_run(3) == record);
  EXPECT_EQ(read(3), "old new");
  EXPECT_EQ(read(4), "next");
  EXPECT_EQ(read(5), "(none)");
  EXPECT_EQ(*dir_.read_run(5), std::nullopt);
}

TEST_F(Archive, TwiceIsOnce) {
  SessionRecord record = write(1);
  append("x");
  ASSERT_TRUE(dir_.archive(1));
  ASSERT_TRUE(dir_.archive(1));
  record.detail = "seen later";
  ASSERT_TRUE(dir_.write(record, os::Durability::kNone));
  std::ofstream(path("out.log"));  // the next run died when it had made its log
  ASSERT_TRUE(dir_.archive(1));
  EXPECT_FALSE(exists("out.log"));
  EXPECT_EQ(content("runs/1/out.log"), "x");
  write(2, 2);
  EXPECT_EQ((*dir_.read_run(1))->detail, "seen later");
}

TEST_F(Archive, NothingOfAnotherRunIsReplaced) {
  write(1);
  append("first");
  ASSERT_TRUE(dir_.archive(1));
  write(1, 9);  // the same number, another run
  append("second");
  const auto again = dir_.archive(1);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().cause, "run-number-taken");
  EXPECT_EQ(content("runs/1/out.log"), "first");
  EXPECT_EQ(content("out.log"), "second");
}

// A series whose driver died accounts for it when it goes on, however many runs came in between.
TEST_F(Archive, TheNewestThatSomebodyAccountsForStaysBesideThem) {
  const auto run = [&](std::uint64_t number, bool counted) {
    SessionRecord record = small_session();
    record.number = number;
    record.run = session_test_id(static_cast<std::uint8_t>(number));
    record.state = SessionState::kExited;
    record.exit_code = 0;
    record.counted = counted;
    ASSERT_TRUE(dir_.write(record, os::Durability::kNone));
    ASSERT_TRUE(dir_.archive(number));
  };
  run(1, true);
  run(2, true);
  for (std::uint64_t number = 3; number <= kKeptRuns + 5; ++number) run(number, false);
  EXPECT_FALSE(exists("runs/1"));
  EXPECT_TRUE(exists("runs/2"));
  EXPECT_EQ(dir_.earlier_runs()->size(), kKeptRuns + 1);
  run(kKeptRuns + 6, true);
  EXPECT_FALSE(exists("runs/2"));
  EXPECT_EQ(dir_.earlier_runs()->size(), kKeptRuns);
}

TEST_F(Archive, TheNewestRunsStayAndWhatAPersonPutThere) {
  for (std::uint64_t number = 1; number <= kKeptRuns + 3; ++number) {
    write(number, static_cast<std::uint8_t>(number));
    append(std::to_string(number));
    ASSERT_TRUE(dir_.archive(number));
    if (number == 1) put("runs/1/note", "mine");
    std::filesystem::create_directories(path("runs/backup"));
  }
  EXPECT_EQ(content("runs/1/note"), "mine");
  EXPECT_FALSE(exists("runs/1/out.log"));
  EXPECT_FALSE(exists("runs/2"));
  EXPECT_FALSE(exists("runs/3"));
  EXPECT_EQ(content("runs/4/out.log"), "4");
  EXPECT_TRUE(exists("runs/backup"));
  EXPECT_EQ(dir_.earlier_runs()->back(), kKeptRuns + 3);
}

TEST_F(Archive, OfARecordThatIsNotThereOnlyAStrayLogIsKept) {
  ASSERT_TRUE(dir_.archive(0));
  EXPECT_FALSE(exists("runs"));
  for (const char* text : {"one", "two"}) {
    put("out.log", text);
    ASSERT_TRUE(dir_.archive(0));
    EXPECT_EQ(content("runs/0/out.log"), text);
  }
  EXPECT_FALSE(dir_.archive(1));
  EXPECT_EQ(*dir_.next_number(), 1U);
}

TEST_F(Archive, RunsThatIsALinkIsRefused) {
  write(1);
  std::filesystem::create_directory(tmp_.path() + "/elsewhere");
  if (!testing::make_dir_link(tmp_.path() + "/elsewhere", path("runs"))) {
    GTEST_SKIP() << "no links can be made here";
  }
  EXPECT_EQ(dir_.archive(1).error().cause, "is-link");
  EXPECT_TRUE(std::filesystem::is_empty(tmp_.path() + "/elsewhere"));
}

TEST_F(Archive, WhatIsWrittenBetweenTheLastReadAndARotationIsNotLost) {
  write(1);
  append("a");
  auto log = *LogReader::open(dir_, 1);
  EXPECT_EQ(*log->read_some(), "a");
  EXPECT_EQ(*log->read_some(), "");
  append("b");
  rotate();
  append("c");
  EXPECT_TRUE(*log->look_for_more());
  EXPECT_EQ(drain(*log), "bc");
}

TEST_F(Archive, AFollowerNeverReadsTheNextRun) {
  write(1);
  append("mine");
  auto log = *LogReader::open(dir_, 1);
  ASSERT_TRUE(dir_.archive(1));
  write(2, 2);
  append("not mine");
  EXPECT_EQ(drain(*log), "mine");
  EXPECT_EQ(read(2), "not mine");
}

TEST_F(Archive, LastLinesAreFoundThroughBothFiles) {
  write(1);
  put("out.log.1", "1\n2\n3");
  put("out.log", "4\n5\n6\n");
  const auto tail = [&](std::uint64_t lines) {
    auto log = *LogReader::open(dir_, 1);
    EXPECT_TRUE(log->skip_to_last_lines(lines));
    return drain(*log);
  };
  EXPECT_EQ(tail(0), "");
  EXPECT_EQ(tail(1), "6\n");
  EXPECT_EQ(tail(2), "5\n6\n");
  EXPECT_EQ(tail(3), "34\n5\n6\n");  // a line that lies in both
  EXPECT_EQ(tail(4), "2\n34\n5\n6\n");
  EXPECT_EQ(tail(5), "1\n2\n34\n5\n6\n");
  EXPECT_EQ(tail(99), "1\n2\n34\n5\n6\n");
  append("7");
  EXPECT_EQ(tail(1), "7");
  put("out.log", "");
  EXPECT_EQ(tail(1), "3");
  const std::string wide(200'000, 'x');
  put("out.log", "a\n" + wide + "\nb\n");
  EXPECT_EQ(tail(2), wide + "\nb\n");
}

TEST_F(Archive, LogsOfOthersAreRefused) {
  write(1);
  std::ofstream(tmp_.path() + "/secret") << "secret";
  if (!testing::make_file_link(tmp_.path() + "/secret", path("out.log"))) {
    GTEST_SKIP() << "no links can be made here";
  }
  EXPECT_EQ(read(1), "is-link");
}

class LogPieces : public Archive {
 protected:
  void index(std::string_view name, std::initializer_list<LogIndexEntry> entries,
             std::string_view behind = "") const {
    const std::uint64_t inode = dir_.dir().id_of(log_name())->value_or(os::FileId{}).inode;
    std::string bytes;
    const auto add = [&](const LogIndexBlock& block) { bytes.append(block.data(), block.size()); };
    add(encode_log_index_head(inode));
    for (const LogIndexEntry& entry : entries) add(encode_log_index_entry(entry));
    std::ofstream(path(std::string(name)), std::ios::binary) << bytes << behind;
  }
  // "text:1@7 …": the stream and the millisecond, - for none.
  std::string pieces(std::uint64_t number) {
    auto log = LogReader::open(dir_, number);
    std::string all;
    for (;;) {
      const LogPiece piece = *(*log)->read_piece();
      if (piece.bytes.empty()) return all;
      all += piece.bytes + ":" + std::to_string(static_cast<int>(piece.from)) + "@";
      all += piece.time ? std::to_string(piece.time->time_since_epoch().count() / 1'000'000) : "-";
      all += " ";
    }
  }
  static LogIndexEntry piece(std::uint64_t at, std::uint32_t length, LogStream from,
                             std::int64_t ms) {
    return {.at = at,
            .length = length,
            .stream = from,
            .time = WallTime(std::chrono::milliseconds(ms))};
  }
};

TEST_F(LogPieces, TheLaterEntryIsRightAndGapsAreNobodys) {
  write(1);
  put("out.log", "aaabbbcccddd");
  // Of the second, a part was written before the disk was full; the last one is still to come.
  index("out.index", {piece(0, 3, LogStream::kStdout, 1), piece(3, 100, LogStream::kStderr, 2),
                      piece(5, 4, LogStream::kStdout, 3), piece(12, 9, LogStream::kStdout, 4)});
  EXPECT_EQ(pieces(1), "aaa:1@1 bb:2@2 bccc:1@3 ddd:0@- ");
}

TEST_F(LogPieces, AnIndexIsFoundByItsLogWhateverItIsCalled) {
  write(1);
  put("out.log", "aaa");
  index("out.index.1", {piece(0, 3, LogStream::kStderr, 1)}, "torn");
  EXPECT_EQ(pieces(1), "aaa:2@1 ");
  put("out.log.1", "zz");  // of another log there is none
  EXPECT_EQ(pieces(1), "zz:0@- aaa:2@1 ");
}

TEST_F(LogPieces, ItGoesWithItsLogAndGrowsWithIt) {
  write(1);
  put("out.log", "aaa");
  index("out.index", {piece(0, 3, LogStream::kStdout, 1)});
  ASSERT_TRUE(dir_.archive(1));
  EXPECT_FALSE(exists("out.index"));
  EXPECT_TRUE(exists("runs/1/out.index"));
  EXPECT_EQ(pieces(1), "aaa:1@1 ");
}

}  // namespace
}  // namespace holdfast::session
