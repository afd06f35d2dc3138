// SPDX-License-Identifier: Apache-2.0
#include "loop/step/step_store.h"

#include <algorithm>

#include "base/cause.h"
#include "format/text/crc32c.h"
#include "format/text/name_escape.h"
#include "os/dir/dir.h"
#include "os/dir/dir_names.h"
#include "os/lock/dir_lock.h"
#include "os/machine/random.h"
#include "session/record/own_file.h"

namespace holdfast::loop {
namespace {

constexpr std::string_view kRecordEnd = ".json";
constexpr std::string_view kTextEnd = ".text";
constexpr int kMostNewcomers = 8;

Result<os::SafeName> file_name(const StepName& name, std::string_view end) {
  return os::SafeName::make(HF_TRY(escape_name(name.session(), platform_name_rules())) +
                            std::string(end));
}

// Sixteen files for all keys: none has to be removed with its key, and two keys seldom meet.
Result<os::SafeName> lock_name(const StepName& name) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  return os::SafeName::make(".lock-" +
                            std::string(1, kDigits[crc32c(name.session()) % kDigits.size()]));
}

// nullopt: not in time.
Result<std::optional<os::File>> lock_step(const os::Dir& dir, const StepName& name, Duration wait) {
  const os::SafeName file = HF_TRY(lock_name(name));
  for (int i = 0; i < kMostNewcomers; ++i) {
    auto lock = HF_TRY(session::open_own_file(dir, file));
    if (!lock) {
      HF_TRY(dir.create_file(file, kPrivateFile));
      continue;
    }
    if (!HF_TRY(os::lock_file(*lock, wait))) return std::nullopt;
    // Whoever removed it meanwhile made room for another one, which somebody else may have.
    const auto named = HF_TRY(dir.id_of(file));
    if (named && *named == HF_TRY(lock->info()).id) return lock;
  }
  return std::nullopt;
}

Result<std::optional<StepRecord>> read_step(const os::Dir& dir, const os::SafeName& file,
                                            const StepName& name) {
  const auto opened = HF_TRY(session::open_own_file(dir, file));
  if (!opened) return std::nullopt;
  // One byte more than any record has: what is longer is damaged, as decoding it will say.
  const std::string bytes = HF_TRY(opened->read_at(0, kMaxStepRecordBytes + 1));
  StepRecord record = HF_TRY(decode_step_record(bytes, opened->path()));
  if (record.step == name.kind && record.key == name.key) return record;
  return fail({.code = ErrorCode::kCorrupt,
               .op = "read the step's record",
               .subject = opened->path(),
               .cause = "other-step",
               .detail = "it is the record of '" + step_session(record.step, record.key) +
                         "', not of this one; it was left as it is"});
}

Error step_busy(const StepName& name) {
  return {.code = ErrorCode::kBusy,
          .op = "change the record of",
          .subject = "'" + name.session() + "'",
          .cause = "step-busy",
          .detail = "somebody else has been changing it for too long"};
}

}  // namespace

Result<std::optional<StepRecord>> StepStore::read(const StepName& name) const {
  return read_step(once_, HF_TRY(file_name(name, kRecordEnd)), name);
}

Result<std::vector<StepStore::Listed>> StepStore::list(StepKind kind) const {
  std::vector<Listed> found;
  const std::string prefix = std::string(to_text(kind)) + ":";
  std::vector<std::string> keys;
  HF_TRY(once_.each_entry([&](std::string_view stem, os::FileType /*type*/) {
    if (!stem.ends_with(kRecordEnd)) return os::Visit::kContinue;
    stem.remove_suffix(kRecordEnd.size());
    const auto name = unescape_name(stem, platform_name_rules());
    if (name && name->starts_with(prefix)) keys.push_back(name->substr(prefix.size()));
    return os::Visit::kContinue;
  }));
  std::ranges::sort(keys);
  for (std::string& key : keys) {
    auto record = read({.kind = kind, .key = key});
    if (record && !*record) continue;  // forgotten while we looked
    Result<StepRecord> read = record ? Result<StepRecord>(**std::move(record))
                                     : Result<StepRecord>(fail(std::move(record).error()));
    found.push_back({.key = std::move(key), .record = std::move(read)});
  }
  return found;
}

Result<std::string> StepStore::text_path(const StepName& name) const {
  return once_.path_of(HF_TRY(file_name(name, kTextEnd)));
}

Result<StepHold> StepHold::take(const StepStore& store, const StepName& name, Duration wait) {
  const os::SafeName file = HF_TRY(file_name(name, kRecordEnd));
  auto lock = HF_TRY(lock_step(store.dir(), name, wait));
  if (!lock) return fail(step_busy(name));
  auto record = HF_TRY(read_step(store.dir(), file, name));
  return StepHold(store, name, *std::move(lock), std::move(record));
}

Result<> StepHold::write(const StepRecord& record, os::Durability durability) {
  const os::SafeName file = HF_TRY(file_name(name_, kRecordEnd));
  const std::string bytes = encode_step_record(record);
  if (bytes.size() > kMaxStepRecordBytes) {
    return fail({.code = ErrorCode::kRefused,
                 .op = "write the step's record",
                 .subject = store_->dir().path_of(file),
                 .cause = cause::kTooLarge,
                 .detail = "it would be longer than 32 MiB; nothing has changed"});
  }
  const auto written = session::replace_own_file(store_->dir(), file, bytes, durability);
  if (written || written.error().code == ErrorCode::kNotDurable) record_ = record;
  return written;
}

Result<> StepHold::remove() {
  HF_TRY(remove_text());
  HF_TRY(store_->dir().remove_file(HF_TRY(file_name(name_, kRecordEnd))));
  record_.reset();
  return store_->dir().sync();
}

Result<> StepHold::write_text(std::string_view message) {
  return session::replace_own_file(store_->dir(), HF_TRY(file_name(name_, kTextEnd)), message,
                                   os::Durability::kNone);
}

Result<bool> StepHold::put_damaged_aside(const StepStore& store, const StepName& name,
                                         const std::function<Result<>()>& judge) {
  const os::SafeName file = HF_TRY(file_name(name, kRecordEnd));
  auto lock = HF_TRY(lock_step(store.dir(), name, kStepLockWait));
  if (!lock) return fail(step_busy(name));
  const auto record = read_step(store.dir(), file, name);
  if (record) return false;
  if (record.error().code != ErrorCode::kCorrupt) return fail(record.error());
  HF_TRY(judge());
  const os::SafeName aside = HF_TRY(file_name(name, ".damaged-" + to_hex(HF_TRY(os::random_id()))));
  if (HF_TRY(os::move_new(store.dir(), file, store.dir(), aside)) == os::Placed::kNameTaken) {
    return fail(step_busy(name));
  }
  HF_TRY(store.dir().sync());
  return true;
}

Result<> StepHold::remove_text() {
  HF_TRY(store_->dir().remove_file(HF_TRY(file_name(name_, kTextEnd))));
  return {};
}

}  // namespace holdfast::loop
