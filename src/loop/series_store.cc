// SPDX-License-Identifier: Apache-2.0
#include "loop/series_store.h"

#include "session/layout.h"
#include "session/own_file.h"

namespace holdfast::loop {
namespace {

constexpr os::NameLiteral series_name() { return os::NameLiteral("series.json"); }

}  // namespace

Result<std::optional<SeriesRecord>> read_series(const session::SessionStore& sessions,
                                                const std::string& name) {
  const auto dir = HF_TRY(sessions.find(name));
  if (!dir) return std::nullopt;
  return read_series(*dir);
}

Result<std::optional<SeriesRecord>> read_series(const session::SessionDir& dir) {
  const auto file = HF_TRY(session::open_own_file(dir.dir(), series_name()));
  if (!file) return std::nullopt;
  // One byte more than any record has: what is longer is damaged, as decoding it will say.
  const std::string bytes = HF_TRY(file->read_at(0, kMaxSeriesRecordBytes + 1));
  SeriesRecord record = HF_TRY(decode_series_record(bytes, file->path()));
  if (record.name != dir.name()) return fail(session::other_session(file->path(), record.name));
  return record;
}

Result<> write_series(const session::SessionStore& sessions, const SeriesRecord& record) {
  const session::SessionDir dir = HF_TRY(sessions.find_or_make(record.name));
  const std::string bytes = encode_series_record(record);
  if (bytes.size() > kMaxSeriesRecordBytes) {
    return fail({.code = ErrorCode::kRefused,
                 .op = "write the series' record",
                 .subject = dir.dir().path_of(series_name()),
                 .cause = "too-large",
                 .detail = "it would be longer than 8 MiB; nothing has changed"});
  }
  return session::replace_own_file(dir.dir(), series_name(), bytes, os::Durability::kFull);
}

}  // namespace holdfast::loop
