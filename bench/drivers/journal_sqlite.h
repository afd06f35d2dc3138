// SPDX-License-Identifier: Apache-2.0
//
// The peer: the same fields in a table of SQLite, one insert for each event and each in a
// transaction of its own, through a prepared statement: the fastest that SQLite offers for it. It
// ends the program where something fails: a benchmark of a peer that failed would be a lie.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/event.h"

struct sqlite3;
struct sqlite3_stmt;

namespace holdfast::bench {

enum class Synchronous : std::uint8_t { kOff, kNormal, kFull };
// How to wait for another writer: as SQLite does it by itself (up to 0.1 s at a time), or looking
// again after at most 0.5 ms, which many writers get more from.
enum class Waiting : std::uint8_t { kBusyTimeout, kEager };

class SqliteLog {
 public:
  // WAL; made with its table where it is new. A busy database is waited for.
  SqliteLog(const std::string& path, Synchronous synchronous,
            Waiting waiting = Waiting::kBusyTimeout);
  ~SqliteLog();
  SqliteLog(const SqliteLog&) = delete;
  SqliteLog& operator=(const SqliteLog&) = delete;

  void insert(const Clock& clock, const std::string& writer, const Event& event);
  std::uint64_t count();

 private:
  void run(const std::string& sql);
  void check(int answer, const char* what) const;

  sqlite3* db_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
};

}  // namespace holdfast::bench
