// SPDX-License-Identifier: Apache-2.0
#include "session/record/store.h"

#include <algorithm>

#include "base/cause.h"
#include "format/text/name_escape.h"
#include "session/record/file_name.h"
#include "session/record/layout.h"
#include "session/record/own_file.h"
#include "session/record/record_file.h"

namespace holdfast::session {
namespace {

Result<std::optional<SessionRecord>> read_listed(const SessionStore& store,
                                                 const std::string& name) {
  const auto dir = HF_TRY(store.find(name));
  if (!dir) return std::nullopt;  // it went since it was listed
  return dir->read();
}

}  // namespace

Result<std::optional<SessionRecord>> read_record(const os::Dir& dir, std::string_view name) {
  auto file = HF_TRY(open_own_file(dir, record_name()));
  if (!file) return std::nullopt;
  // One byte more than any record has: what is longer is damaged, as decoding it will say.
  const std::string bytes = HF_TRY(file->read_at(0, kMaxSessionRecordBytes + 1));
  SessionRecord record = HF_TRY(decode_session_record(bytes, file->path()));
  if (record.name == name) return record;
  return fail(other_session(file->path(), record.name));
}

Result<> write_record(const os::Dir& dir, const SessionRecord& record, os::Durability durability) {
  const std::string bytes = encode_session_record(record);
  if (bytes.size() > kMaxSessionRecordBytes) {
    return fail({.code = ErrorCode::kRefused,
                 .op = "write the session's record",
                 .subject = dir.path_of(record_name()),
                 .cause = cause::kTooLarge,
                 .detail = "with its command and environment it is longer than 4 MiB; nothing has "
                           "changed"});
  }
  return replace_own_file(dir, record_name(), bytes, durability);
}

Result<std::optional<SessionRecord>> SessionDir::read() const { return read_record(dir_, name_); }

Result<> SessionDir::write(const SessionRecord& record, os::Durability durability) const {
  return write_record(dir_, record, durability);
}

Result<std::optional<SessionDir>> SessionStore::find(std::string_view name) const {
  auto dir = HF_TRY(open_own_dir(sessions_, HF_TRY(file_name_of(name))));
  if (!dir) return std::nullopt;
  return SessionDir(std::move(*dir), std::string(name));
}

Result<SessionDir> SessionStore::find_or_make(std::string_view name) const {
  return SessionDir(HF_TRY(open_or_make_own_dir(sessions_, HF_TRY(file_name_of(name)))),
                    std::string(name));
}

Result<std::vector<std::string>> SessionStore::names() const {
  std::vector<std::string> names;
  HF_TRY(sessions_.each_entry([&](std::string_view entry, os::FileType) {
    auto name = unescape_name(entry, platform_name_rules());
    if (name) names.push_back(std::move(*name));
    return os::Visit::kContinue;
  }));
  std::ranges::sort(names);
  return names;
}

Result<std::vector<SessionStore::Listed>> SessionStore::list() const {
  std::vector<Listed> sessions;
  for (std::string& name : HF_TRY(names())) {
    auto record = read_listed(*this, name);
    sessions.push_back({.name = std::move(name), .record = std::move(record)});
  }
  return sessions;
}

}  // namespace holdfast::session
