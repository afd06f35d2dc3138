// SPDX-License-Identifier: Apache-2.0
#include "loop/series/series_store.h"

#include <algorithm>

#include "base/cause.h"
#include "format/text/rfc3339.h"
#include "session/record/layout.h"
#include "session/record/own_file.h"

namespace holdfast::loop {
namespace {

using session::series_name;

constexpr std::string_view kAside = "series.json.corrupt-";
constexpr int kMostAside = 5;

// 20261115T140253.123Z
std::string compact(WallTime time) {
  std::string text = format_rfc3339(time);
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text;
}

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
                 .cause = cause::kTooLarge,
                 .detail = "it would be longer than 8 MiB; nothing has changed"});
  }
  return session::replace_own_file(dir.dir(), series_name(), bytes, os::Durability::kFull);
}

Result<std::string> move_series_aside(const session::SessionStore& sessions,
                                      const std::string& name, WallTime now) {
  const session::SessionDir found = HF_TRY(sessions.find_or_make(name));
  const os::Dir& dir = found.dir();
  int there = 0;
  HF_TRY(dir.each_entry([&there](std::string_view entry, os::FileType) {
    if (entry.starts_with(kAside)) ++there;
    return os::Visit::kContinue;
  }));
  if (there >= kMostAside) {
    return fail({.code = ErrorCode::kRefused,
                 .op = "move the damaged record of a series aside",
                 .subject = dir.path_of(series_name()),
                 .cause = "too-many-copies",
                 .detail = "there are " + std::to_string(there) + " of them already (" +
                           std::string(kAside) +
                           "…); look at them and remove what is not needed. Nothing was changed"});
  }
  // Another name of this moment is passed by.
  for (;; now += std::chrono::milliseconds(1)) {
    const os::SafeName aside = HF_TRY(os::SafeName::make(std::string(kAside) + compact(now)));
    if (HF_TRY(dir.rename_new(series_name(), aside)) != os::Placed::kPlaced) continue;
    HF_TRY(dir.sync());
    return dir.path_of(aside);
  }
}

}  // namespace holdfast::loop
