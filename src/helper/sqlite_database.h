// SPDX-License-Identifier: Apache-2.0
//
// A database of SQLite, its handles owned and its errors as ours: kIo, with SQLite's own sentence,
// whatever it was; a full disk has the cause `enospc`, else `sqlite`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/scoped.h"

struct sqlite3;
struct sqlite3_stmt;

namespace holdfast::helper {

struct SqliteTraits {
  using Value = sqlite3*;
  static Value nothing() { return nullptr; }
  static void close(Value database);
};
struct SqliteStatementTraits {
  using Value = sqlite3_stmt*;
  static Value nothing() { return nullptr; }
  static void close(Value statement);
};

// Must not outlive its database.
class SqliteStatement {
 public:
  explicit SqliteStatement(sqlite3_stmt* statement) : statement_(statement) {}

  // Columns count from 1. A text must live until the statement has run.
  void bind(int column, std::int64_t value);
  void bind(int column, std::string_view text);

  // false: the row's primary key is taken, and nothing was changed.
  Result<bool> run_unless_taken();

 private:
  Scoped<SqliteStatementTraits> statement_;
};

class SqliteDatabase {
 public:
  // The file is there (it may be empty).
  static Result<SqliteDatabase> open_existing(const std::string& path);

  Result<> run(const char* sql);
  Result<SqliteStatement> prepare(const char* sql);
  Result<> close();

 private:
  explicit SqliteDatabase(sqlite3* database) : database_(database) {}

  Scoped<SqliteTraits> database_;
};

}  // namespace holdfast::helper
