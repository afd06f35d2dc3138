// SPDX-License-Identifier: Apache-2.0
#include "helper/sqlite_export.h"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_mode.h"
#include "base/id128.h"
#include "cli/user_file.h"
#include "helper/line_source.h"
#include "helper/simdjson_field_reader.h"
#include "helper/sqlite_database.h"
#include "os/dir.h"
#include "os/random.h"

namespace holdfast::helper {
namespace {

constexpr std::string_view kOp = "export the journal to";

constexpr const char* kSchema =
    "CREATE TABLE events(seq INTEGER PRIMARY KEY, time TEXT, type TEXT, class TEXT, writer TEXT,"
    " boot TEXT, data TEXT)";
constexpr const char* kInsert = "INSERT INTO events VALUES(?,?,?,?,?,?,?)";

// The keys of a line, in the order of the columns.
const std::array<std::vector<std::string>, 7> kSqliteExportFields{
    {{"seq"}, {"time"}, {"type"}, {"class"}, {"writer"}, {"boot"}, {"data"}}};

Error exists(const std::string& file) {
  return {.code = ErrorCode::kRefused,
          .op = std::string(kOp),
          .subject = file,
          .cause = "exists",
          .detail = "it is there already, and is left as it is"};
}

Error bad_line(std::uint64_t number, std::string_view why) {
  return {.code = ErrorCode::kCorrupt,
          .op = "read the events",
          .subject = "line " + std::to_string(number),
          .cause = "bad-line",
          .detail = std::string(why) + "; nothing was exported"};
}

Result<std::uint64_t> insert_all(LineSource& lines, SqliteDatabase& database) {
  SqliteStatement insert = HF_TRY(database.prepare(kInsert));
  const auto reader = make_simdjson_field_reader();
  std::uint64_t number = 0;
  while (const std::optional<std::string_view> line = HF_TRY(lines.next())) {
    ++number;
    std::array<std::string, kSqliteExportFields.size()> values;
    for (std::size_t i = 0; i < kSqliteExportFields.size(); ++i) {
      Result<std::optional<std::string>> value = reader->read(*line, kSqliteExportFields[i]);
      if (!value) return fail(bad_line(number, "it is not JSON"));
      if (!*value)
        return fail(bad_line(number, "it has no `" + kSqliteExportFields[i].front() + "`"));
      values[i] = std::move(**value);
    }
    std::int64_t seq = 0;
    const char* const end = values[0].data() + values[0].size();
    if (const auto [at, error] = std::from_chars(values[0].data(), end, seq);
        error != std::errc() || at != end) {
      return fail(bad_line(number, "its `seq` is not a number"));
    }
    insert.bind(1, seq);
    for (std::size_t i = 1; i < values.size(); ++i) insert.bind(static_cast<int>(i + 1), values[i]);
    if (!HF_TRY(insert.run_unless_taken())) return fail(bad_line(number, "its `seq` came before"));
  }
  return number;
}

// One transaction, and no journal of SQLite's own: a file that nobody knows yet needs no way back.
Result<std::uint64_t> fill(const ByteSource& source, const std::string& path) {
  LineSource lines(source, kMaxLineBytes);
  SqliteDatabase database = HF_TRY(SqliteDatabase::open_existing(path));
  for (const char* sql : {"PRAGMA journal_mode=OFF", "PRAGMA synchronous=OFF",
                          "PRAGMA locking_mode=EXCLUSIVE", "BEGIN", kSchema}) {
    HF_TRY(database.run(sql));
  }
  const std::uint64_t events = HF_TRY(insert_all(lines, database));
  for (const char* sql : {"CREATE INDEX events_type ON events(type)",
                          "CREATE INDEX events_time ON events(time)", "COMMIT"}) {
    HF_TRY(database.run(sql));
  }
  HF_TRY(database.close());
  return events;
}

Result<std::uint64_t> fill_and_publish(const ByteSource& lines, const os::Dir& dir,
                                       const os::SafeName& stage, const os::SafeName& name,
                                       const std::string& file) {
  const std::uint64_t events = HF_TRY(fill(lines, dir.path_of(stage)));
  std::optional<os::File> made = HF_TRY(dir.open_file(stage, os::Access::kReadWrite));
  if (!made) {
    return fail({.code = ErrorCode::kIo,
                 .op = std::string(kOp),
                 .subject = file,
                 .cause = "stage-gone",
                 .detail = "somebody removed " + stage.str() + " meanwhile"});
  }
  HF_TRY(made->sync());
  if (HF_TRY(dir.rename_new(stage, name)) == os::Placed::kNameTaken) return fail(exists(file));
  if (const Result<> synced = dir.sync(); !synced) return fail(not_durable(synced.error()));
  return events;
}

}  // namespace

Result<std::uint64_t> export_sqlite(const ByteSource& lines, const std::string& file) {
  const cli::UserFile place = HF_TRY(cli::locate_file(file));
  const os::Dir& dir = place.dir;
  if (HF_TRY(dir.info(place.name))) return fail(exists(file));  // before all the work
  const os::SafeName stage =
      HF_TRY(os::SafeName::make(".hf-stage-" + to_hex(HF_TRY(os::random_id()))));
  if (!HF_TRY(dir.create_file(stage, kPrivateFile))) return fail(exists(dir.path_of(stage)));
  Result<std::uint64_t> events = fill_and_publish(lines, dir, stage, place.name, file);
  if (!events && events.error().code != ErrorCode::kNotDurable) {
    const auto removed = dir.remove_file(stage);
    static_cast<void>(removed);  // the first failure is the one to tell
  }
  return events;
}

}  // namespace holdfast::helper
