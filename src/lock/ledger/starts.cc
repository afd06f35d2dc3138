// SPDX-License-Identifier: Apache-2.0
#include "lock/ledger/starts.h"

#include <algorithm>
#include <string>
#include <utility>

#include "format/lock/starts_record.h"
#include "os/file/staged_file.h"
#include "os/lock/byte_lock.h"
#include "os/lock/lock_wait.h"
#include "os/machine/real_clock.h"
#include "proc/identity/identity.h"

namespace holdfast::lock {
namespace {

using os::operator""_name;

constexpr os::NameLiteral kStarts = ".starts"_name;
constexpr os::NameLiteral kStartsLock = ".starts-lock"_name;
constexpr Duration kStartsPatience = std::chrono::seconds(1);

Result<os::File> lock_starts(const os::Dir& locks) {
  auto file = HF_TRY(locks.open_file(kStartsLock, os::Access::kReadWrite));
  if (!file) file = HF_TRY(locks.create_file(kStartsLock, kPrivateFile));
  if (!file) file = HF_TRY(locks.open_file(kStartsLock, os::Access::kReadWrite));
  const bool locked =
      file && HF_TRY(os::wait_for_lock(
                  kStartsPatience,
                  [&] { return os::try_lock_byte(*file, 0, os::Share::kExclusive); }, os::pause));
  if (locked) return *std::move(file);
  return fail({.code = ErrorCode::kBusy,
               .op = "reserve a start in",
               .subject = locks.path(),
               .cause = "guard-timeout",
               .detail = "another process holds its lock; nothing was started"});
}

Result<StartsRecord> read_starts(const os::Dir& locks) {
  auto file = HF_TRY(locks.open_file(kStarts, os::Access::kRead));
  if (!file) return StartsRecord{};
  return decode_starts_record(HF_TRY(file->read_all(kMaxStartsBytes)), file->path());
}

Result<> write_starts(const os::Dir& locks, const StartsRecord& record) {
  auto staged = HF_TRY(os::StagedFile::create(locks, kPrivateFile));
  HF_TRY(staged.write_all(encode_starts_record(record)));
  HF_TRY(staged.file().sync());
  const os::SafeName stage = HF_TRY(staged.take_stage_name());
  HF_TRY(locks.rename_over(stage, kStarts));
  staged.forget_name();
  return {};
}

Result<TimeMark> starts_now(const Clock& clock) {
  const proc::Identity own = HF_TRY(proc::own_identity());
  TimeMark now{.moment = {.boot = own.boot, .timens = own.timens, .machine = own.machine}};
  now.moment.boot_ns = clock.boot().time_since_epoch().count();
  now.wall = clock.wall();
  return now;
}

}  // namespace

Result<std::optional<Duration>> reserve_start(const os::Dir& locks, const Clock& clock,
                                              std::string_view name, Duration apart,
                                              std::optional<Duration> most) {
  const os::File held = HF_TRY(lock_starts(locks));
  StartsRecord record = HF_TRY(read_starts(locks));
  const TimeMark now = HF_TRY(starts_now(clock));
  Duration left{};
  for (const NextStart& start : record.names) {
    if (start.name == name) left = std::max(left, left_of(start.next, now));
  }
  if (most && left > *most) return std::nullopt;
  std::erase_if(record.names, [&](const NextStart& start) {
    return start.name == name || left_of(start.next, now) == Duration::zero();
  });
  record.names.push_back(
      {.name = std::string(name), .next = {.from = later(now, left), .wait = apart}});
  HF_TRY(write_starts(locks, record));
  return left;
}

bool is_starts_file(std::string_view file) {
  return file == kStarts.text() || file == kStartsLock.text();
}

}  // namespace holdfast::lock
