// SPDX-License-Identifier: Apache-2.0
#include "journal_sqlite.h"

#include <sqlite3.h>
#include <unistd.h>

#include <string_view>

#include "journal_bench.h"

namespace holdfast::bench {
namespace {

constexpr int kBusyTimeoutMs = 60'000;

std::int64_t to_us(Duration since) {
  return std::chrono::duration_cast<std::chrono::microseconds>(since).count();
}

std::string word(Synchronous synchronous) {
  if (synchronous == Synchronous::kOff) return "off";
  return synchronous == Synchronous::kNormal ? "normal" : "full";
}

int look_again_soon(void*, int looked) {
  constexpr int kSoon = 10;
  ::usleep(looked < kSoon ? 100 : 500);
  return 1;
}

int bind_text(sqlite3_stmt* statement, int column, std::string_view text) {
  return sqlite3_bind_text(statement, column, text.data(), static_cast<int>(text.size()),
                           SQLITE_STATIC);
}

}  // namespace

SqliteLog::SqliteLog(const std::string& path, Synchronous synchronous, Waiting waiting) {
  check(sqlite3_open(path.c_str(), &db_), "open");
  check(waiting == Waiting::kEager ? sqlite3_busy_handler(db_, look_again_soon, nullptr)
                                   : sqlite3_busy_timeout(db_, kBusyTimeoutMs),
        "set how to wait");
  run("pragma journal_mode=wal");
  run("pragma synchronous=" + word(synchronous));
  run("create table if not exists events(seq integer primary key, wall integer, boot integer,"
      " boot_id text, writer text, class text, type text, data text)");
  check(sqlite3_prepare_v3(db_,
                           "insert into events(wall, boot, boot_id, writer, class, type, data)"
                           " values(?,?,?,?,?,?,?)",
                           -1, SQLITE_PREPARE_PERSISTENT, &insert_, nullptr),
        "prepare");
}

SqliteLog::~SqliteLog() {
  sqlite3_finalize(insert_);
  sqlite3_close(db_);
}

void SqliteLog::insert(const Clock& clock, const std::string& writer, const Event& event) {
  sqlite3_bind_int64(insert_, 1, to_us(clock.wall().time_since_epoch()));
  sqlite3_bind_int64(insert_, 2, to_us(clock.boot().time_since_epoch()));
  bind_text(insert_, 3, "0123abcd");
  bind_text(insert_, 4, writer);
  bind_text(insert_, 5, to_text(event.at_least));
  bind_text(insert_, 6, event.type);
  bind_text(insert_, 7, event.data.json());
  const int answer = sqlite3_step(insert_);
  if (answer != SQLITE_DONE) check(answer, "insert");
  sqlite3_reset(insert_);
}

std::uint64_t SqliteLog::count() {
  sqlite3_stmt* statement = nullptr;
  check(sqlite3_prepare_v2(db_, "select count(*) from events", -1, &statement, nullptr), "prepare");
  if (sqlite3_step(statement) != SQLITE_ROW) check(SQLITE_ERROR, "count");
  const auto rows = static_cast<std::uint64_t>(sqlite3_column_int64(statement, 0));
  sqlite3_finalize(statement);
  return rows;
}

void SqliteLog::run(const std::string& sql) {
  check(sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr), sql.c_str());
}

void SqliteLog::check(int answer, const char* what) const {
  if (answer != SQLITE_OK) die(what, db_ == nullptr ? "no memory" : sqlite3_errmsg(db_));
}

}  // namespace holdfast::bench
