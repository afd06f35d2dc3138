// SPDX-License-Identifier: Apache-2.0
#include "helper/sqlite_database.h"

#include <sqlite3.h>  // lint: os_only a library

namespace holdfast::helper {
namespace {

constexpr int kPrimaryCode = 0xff;  // of an extended result code

Error sqlite_error(sqlite3* database, std::string_view op, int answer) {
  const bool full = (answer & kPrimaryCode) == SQLITE_FULL;
  const char* const file = database == nullptr ? nullptr : sqlite3_db_filename(database, "main");
  return {.code = ErrorCode::kIo,
          .op = std::string(op),
          .subject = file == nullptr ? "" : file,
          .cause = full ? "enospc" : "sqlite",
          .detail = database == nullptr ? sqlite3_errstr(answer) : sqlite3_errmsg(database)};
}

}  // namespace

void SqliteTraits::close(Value database) { sqlite3_close_v2(database); }
void SqliteStatementTraits::close(Value statement) { sqlite3_finalize(statement); }

void SqliteStatement::bind(int column, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), column, value);
}

void SqliteStatement::bind(int column, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), column, text.data(), text.size(), SQLITE_STATIC,
                      SQLITE_UTF8);
}

Result<bool> SqliteStatement::run_unless_taken() {
  sqlite3* const database = sqlite3_db_handle(statement_.get());
  const int answer = sqlite3_step(statement_.get());
  if (answer == SQLITE_DONE) {
    sqlite3_reset(statement_.get());
    return true;
  }
  Error error = sqlite_error(database, "write to the database", answer);
  sqlite3_reset(statement_.get());
  if ((answer & kPrimaryCode) == SQLITE_CONSTRAINT) return false;
  return fail(std::move(error));
}

Result<SqliteDatabase> SqliteDatabase::open_existing(const std::string& path) {
  sqlite3* raw = nullptr;
  const int answer = sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READWRITE, nullptr);
  SqliteDatabase database(raw);  // also where it failed
  if (answer != SQLITE_OK) return fail(sqlite_error(raw, "open the database", answer));
  return database;
}

Result<> SqliteDatabase::run(const char* sql) {
  const int answer = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
  if (answer != SQLITE_OK) {
    return fail(sqlite_error(database_.get(), "write to the database", answer));
  }
  return {};
}

Result<SqliteStatement> SqliteDatabase::prepare(const char* sql) {
  sqlite3_stmt* statement = nullptr;
  const int answer = sqlite3_prepare_v2(database_.get(), sql, -1, &statement, nullptr);
  if (answer != SQLITE_OK) {
    return fail(sqlite_error(database_.get(), "prepare to write to the database", answer));
  }
  return SqliteStatement(statement);
}

Result<> SqliteDatabase::close() {
  const int answer = sqlite3_close(database_.get());
  if (answer != SQLITE_OK) {
    return fail(sqlite_error(database_.get(), "close the database", answer));
  }
  static_cast<void>(database_.release());
  return {};
}

}  // namespace holdfast::helper
