// SPDX-License-Identifier: Apache-2.0
#include "helper/sqlite_export.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "testing/temp_dir.h"

namespace holdfast::helper {
namespace {

ByteSource bytes_of(std::string text) {
  return [text = std::move(text), at = std::size_t{0}](std::span<char> buffer) mutable {
    const std::size_t size = std::min(buffer.size(), text.size() - at);
    std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(at), size, buffer.begin());
    at += size;
    return Result<std::size_t>(size);
  };
}

std::string line(int seq, const std::string& type, const std::string& data) {
  return R"({"seq":)" + std::to_string(seq) + R"(,"time":"2026-11-15T07:46:00.123Z","type":")" +
         type + R"(","class":"event","writer":"4711.88231","boot":"953a2044","data":)" + data +
         "}\n";
}

// All rows of `sql`, columns with `|` between, each row with a newline.
std::string ask(const std::string& file, const char* sql) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open_v2(file.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  std::string rows;
  const auto add = [](void* out, int columns, char** values, char**) {
    for (int i = 0; i < columns; ++i) {
      *static_cast<std::string*>(out) +=
          std::string(i == 0 ? "" : "|") + (values[i] ? values[i] : "NULL");
    }
    *static_cast<std::string*>(out) += "\n";
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(database, sql, add, &rows, nullptr), SQLITE_OK);
  sqlite3_close(database);
  return rows;
}

class SqliteExport : public ::testing::Test {
 protected:
  [[nodiscard]] std::size_t files() const {
    const auto all = std::filesystem::directory_iterator(temp_.path());
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }
  std::string cause(const std::string& text) {
    const auto events = export_sqlite(bytes_of(text), file_);
    return events ? "done" : events.error().cause;
  }

  testing::TempDir temp_;
  std::string file_ = temp_.path("journal.db");
};

TEST_F(SqliteExport, EveryFieldIsAColumnAndDataIsJson) {
  const auto events = export_sqlite(
      bytes_of(line(1, "lock.busy", R"({"lock":"a\"b","n":1.50})") + line(3, "x.y", "{}")), file_);
  ASSERT_TRUE(events) << events.error().detail;
  EXPECT_EQ(*events, 2U);
  EXPECT_EQ(ask(file_, "SELECT * FROM events ORDER BY seq"),
            "1|2026-11-15T07:46:00.123Z|lock.busy|event|4711.88231|953a2044|{\"lock\":\"a\\\"b\","
            "\"n\":1.50}\n"
            "3|2026-11-15T07:46:00.123Z|x.y|event|4711.88231|953a2044|{}\n");
  EXPECT_EQ(ask(file_, "SELECT data->>'lock' FROM events WHERE type='lock.busy'"), "a\"b\n");
  EXPECT_EQ(ask(file_, "SELECT name FROM sqlite_master WHERE type='index' ORDER BY name"),
            "events_time\nevents_type\n");
  EXPECT_EQ(ask(file_, "PRAGMA integrity_check"), "ok\n");
  EXPECT_EQ(files(), 1U);
}

TEST_F(SqliteExport, NoEventsAreAnEmptyTable) {
  EXPECT_EQ(cause(""), "done");
  EXPECT_EQ(ask(file_, "SELECT count(*) FROM events"), "0\n");
}

TEST_F(SqliteExport, ExistingFileIsLeftAsItIs) {
  std::ofstream(file_) << "precious";
  EXPECT_EQ(cause(line(1, "x.y", "{}")), "exists");
  EXPECT_EQ(std::filesystem::file_size(file_), 8U);
  EXPECT_EQ(files(), 1U);
}

TEST_F(SqliteExport, FileThatAppearsMeanwhileIsLeftAsItIs) {
  const ByteSource lines = [&](std::span<char>) -> Result<std::size_t> {
    std::ofstream(file_) << "precious";
    return 0U;
  };
  const auto events = export_sqlite(lines, file_);
  ASSERT_FALSE(events);
  EXPECT_EQ(events.error().cause, "exists");
  EXPECT_EQ(std::filesystem::file_size(file_), 8U);
  EXPECT_EQ(files(), 1U);
}

TEST_F(SqliteExport, LineThatIsNoEventLeavesNothing) {
  for (const std::string& bad :
       {std::string("not JSON\n"), std::string("\n"), std::string(R"({"seq":2})") + "\n",
        line(1, "x.y", "{}"), line(2, "x.y", R"({"a":)"),
        std::string(R"({"seq":"x")") + line(2, "x.y", "{}").substr(8)}) {
    EXPECT_EQ(cause(line(1, "x.y", "{}") + bad), "bad-line") << bad;
    EXPECT_EQ(files(), 0U) << bad;
  }
}

TEST_F(SqliteExport, FailureOfTheSourceLeavesNothing) {
  const auto events = export_sqlite(
      [](std::span<char>) -> Result<std::size_t> {
        return fail({.code = ErrorCode::kIo, .cause = "eio"});
      },
      file_);
  ASSERT_FALSE(events);
  EXPECT_EQ(events.error().cause, "eio");
  EXPECT_EQ(files(), 0U);
}

TEST_F(SqliteExport, FileIsPrivate) {
  EXPECT_EQ(cause(line(1, "x.y", "{}")), "done");
  EXPECT_EQ(std::filesystem::status(file_).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

}  // namespace
}  // namespace holdfast::helper
