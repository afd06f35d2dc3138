// SPDX-License-Identifier: Apache-2.0
#include "loop/item/loop_dir.h"

#include "format/json/json.h"
#include "format/text/name_escape.h"
#include "format/text/rfc3339.h"
#include "loop/item/item_log.h"
#include "os/dir/dir.h"
#include "session/record/own_file.h"

namespace holdfast::loop {
namespace {

using os::operator""_name;
constexpr std::size_t kMostSmall = std::size_t{64} << 10U;
constexpr std::size_t kMostLarge = std::size_t{1} << 30U;

Result<os::SafeName> file_of(std::string_view id, std::string_view suffix) {
  const std::string escaped = HF_TRY(escape_name(id, platform_name_rules()));
  return os::SafeName::make(escaped + std::string(suffix));
}

Result<std::optional<std::string>> read_own(const os::Dir& dir, const os::SafeName& name,
                                            std::size_t most) {
  auto file = HF_TRY(session::open_own_file(dir, name));
  if (!file) return std::nullopt;
  auto bytes = file->read_all(most);
  if (!bytes) return fail(bytes.error());
  return std::optional(*std::move(bytes));
}

// The path of the file that the state is of; empty: there is no record of it.
Result<std::string> bound_to(const os::Dir& dir) {
  const auto bytes = HF_TRY(read_own(dir, "loop.json"_name, kMostSmall));
  if (!bytes) return std::string();
  const Json record = parse_json(*bytes);
  const auto file = record.is_object() && record.contains("file") ? bytes_from_json(record["file"])
                                                                  : std::optional<std::string>();
  if (file) return *file;
  return fail({.code = ErrorCode::kCorrupt,
               .op = "read",
               .subject = dir.path_of("loop.json"_name),
               .cause = "bad-loop-record",
               .detail = "it does not say which file the loop is of; it was left as it is"});
}

Error other_file(std::string_view name, const std::string& theirs) {
  return {.code = ErrorCode::kRefused,
          .op = "use the state of",
          .subject = "the loop '" + std::string(name) + "'",
          .cause = "other-loop-file",
          .detail = "it is of " + theirs +
                    "; give this loop another name, or say --moved where the file was moved here"};
}

Result<> check_bound(const os::Dir& dir, std::string_view name, const std::string& file) {
  const std::string theirs = HF_TRY(bound_to(dir));
  if (theirs.empty() || theirs == file) return {};
  return fail(other_file(name, theirs));
}

}  // namespace

Result<LoopDir> LoopDir::open(const os::Dir& loops, std::string_view name, const std::string& file,
                              bool moved) {
  const os::SafeName dir_name = HF_TRY(file_of(name, ""));
  os::Dir dir = HF_TRY(session::open_or_make_own_dir(loops, dir_name));
  const Json own{{"v", 1}, {"kind", "loop"}, {"file", bytes_to_json(file)}};
  const std::string record = own.dump() + "\n";
  std::string theirs = HF_TRY(bound_to(dir));
  if (theirs.empty()) {
    // The log first: from the record on it is never missing. The record never in the place of
    // another: of two files that begin under one name, the state is that of the faster one.
    HF_TRY(ItemLog::create(dir));
    os::StagedFile staged = HF_TRY(os::StagedFile::create(dir, kPrivateFile));
    HF_TRY(staged.write_all(record));
    HF_TRY(staged.publish_new("loop.json"_name));
    theirs = HF_TRY(bound_to(dir));
  }
  if (!theirs.empty() && theirs != file && !moved) return fail(other_file(name, theirs));
  if (theirs != file) {
    HF_TRY(session::replace_own_file(dir, "loop.json"_name, record, os::Durability::kFull));
  }
  os::Dir items = HF_TRY(session::open_or_make_own_dir(dir, "items"_name));
  return LoopDir(std::move(dir), std::move(items));
}

Result<std::optional<LoopDir>> LoopDir::find(const os::Dir& loops, std::string_view name,
                                             const std::string& file) {
  const os::SafeName dir_name = HF_TRY(file_of(name, ""));
  auto dir = HF_TRY(session::open_own_dir(loops, dir_name));
  if (!dir) return std::nullopt;
  HF_TRY(check_bound(*dir, name, file));
  auto items = HF_TRY(session::open_own_dir(*dir, "items"_name));
  if (!items) return std::nullopt;
  return LoopDir(*std::move(dir), *std::move(items));
}

Result<std::optional<Pause>> LoopDir::paused() const {
  const auto bytes = HF_TRY(read_own(dir_, "paused"_name, kMostSmall));
  if (!bytes) return std::nullopt;
  Pause pause;
  const Json record = parse_json(*bytes);
  if (!record.is_object()) {
    pause.reason = "the file `paused` cannot be understood";
    return pause;
  }
  if (const std::string* since = json_text(record, "since")) {
    pause.since = parse_rfc3339(*since).value_or(WallTime{});
  }
  if (record.contains("reason")) pause.reason = bytes_from_json(record["reason"]).value_or("");
  return pause;
}

Result<> LoopDir::pause(const Pause& pause) const {
  const Json record{{"v", 1},
                    {"kind", "pause"},
                    {"since", format_rfc3339(pause.since)},
                    {"reason", bytes_to_json(pause.reason)}};
  return session::replace_own_file(dir_, "paused"_name, record.dump() + "\n",
                                   os::Durability::kFull);
}

Result<bool> LoopDir::resume() const {
  const os::Removed removed = HF_TRY(dir_.remove_file("paused"_name));
  return removed == os::Removed::kRemoved;
}

Result<> LoopDir::keep_source(std::string_view bytes) const {
  return session::replace_own_file(dir_, "source"_name, bytes, os::Durability::kNone);
}

Result<std::optional<std::string>> LoopDir::kept_source() const {
  return read_own(dir_, "source"_name, kMostLarge);
}

Result<std::string> LoopDir::keep_item(std::string_view id, std::string_view json) const {
  const os::SafeName name = HF_TRY(file_of(id, ".json"));
  const std::string line = std::string(json) + "\n";
  HF_TRY(session::replace_own_file(items_, name, line, os::Durability::kFull));
  return items_.path_of(name);
}

Result<std::optional<std::string>> LoopDir::kept_item(std::string_view id) const {
  const os::SafeName name = HF_TRY(file_of(id, ".json"));
  return read_own(items_, name, kMostLarge);
}

Result<std::string> LoopDir::item_path(std::string_view id) const {
  const os::SafeName name = HF_TRY(file_of(id, ".json"));
  return items_.path_of(name);
}

Result<std::string> LoopDir::keep_text(std::string_view id, std::string_view text) const {
  const os::SafeName name = HF_TRY(file_of(id, ".text"));
  HF_TRY(session::replace_own_file(items_, name, text, os::Durability::kFull));
  return items_.path_of(name);
}

Result<std::string> LoopDir::text_path(std::string_view id) const {
  const os::SafeName name = HF_TRY(file_of(id, ".text"));
  return items_.path_of(name);
}

void LoopDir::drop(std::string_view id, std::string_view suffix) const {
  const auto name = file_of(id, suffix);
  if (!name) return;
  const auto removed = items_.remove_file(*name);
  static_cast<void>(removed);  // a file that nobody asks for any more
}

void LoopDir::drop_text(std::string_view id) const { drop(id, ".text"); }

void LoopDir::drop_item(std::string_view id) const {
  drop(id, ".json");
  drop_text(id);
}

}  // namespace holdfast::loop
