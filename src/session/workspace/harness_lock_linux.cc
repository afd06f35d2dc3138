// SPDX-License-Identifier: Apache-2.0
#include "os/dir/dir.h"
#include "os/lock/byte_lock.h"
#include "os/lock/dir_lock.h"
#include "session/record/layout.h"
#include "session/record/own_file.h"
#include "session/workspace/below.h"
#include "session/workspace/harness.h"

namespace holdfast::session {
namespace {

constexpr int kNewcomersOfALock = 8;

HarnessLock held(os::File file) { return std::make_shared<const os::File>(std::move(file)); }

}  // namespace

Result<HarnessLock> lock_harness_dir(const os::Dir& dir, Duration wait) {
  for (int i = 0; i < kNewcomersOfALock; ++i) {
    auto lock = HF_TRY(open_own_file(dir, harness_lock_name()));
    if (!lock) {
      HF_TRY(dir.create_file(harness_lock_name(), kPrivateFile));
      continue;
    }
    if (!HF_TRY(os::lock_file(*lock, wait))) return HarnessLock();
    // Whoever removed it meanwhile made room for another one, which somebody else may have.
    const auto named = dir.id_of(harness_lock_name());
    if (named && *named && **named == HF_TRY(lock->info()).id) return held(*std::move(lock));
  }
  return HarnessLock();
}

Result<HarnessLock> make_harness_lock(const os::Dir& dir) {
  auto lock = HF_TRY(dir.create_file(harness_lock_name(), kPrivateFile));
  if (!lock || !HF_TRY(os::try_lock_file(*lock))) return HarnessLock();
  return held(*std::move(lock));
}

Result<StageLock> try_stage_lock(const os::Dir& dir) {
  auto file = HF_TRY(open_own_file(dir, harness_lock_name()));
  if (!file) file = HF_TRY(dir.create_file(harness_lock_name(), kPrivateFile));
  if (!file || !HF_TRY(os::try_lock_file(*file))) return StageLock{};
  return StageLock{.free = true, .lock = held(*std::move(file))};
}

os::NativeHandle handle_of(const HarnessLock& lock) {
  return lock ? static_cast<const os::File*>(lock.get())->native() : os::HandleTraits::nothing();
}

Result<> remove_harness_lock(const os::Dir& dir) {
  HF_TRY(dir.remove_file(harness_lock_name()));
  return {};
}

// A byte of the one description would not keep out its other bytes: all of them in one step.
Result<BelowShut> shut_below(const os::Dir& dir) {
  auto file = HF_TRY(open_own_file(dir, harness_below_name(), os::Access::kReadWrite));
  if (!file) return BelowShut{.empty = true};  // none is made without the session's lock
  if (!HF_TRY(os::try_lock_bytes(*file, 0, 0, os::Share::kExclusive))) return BelowShut{};
  return BelowShut{.empty = true, .shut = held(*std::move(file))};
}

}  // namespace holdfast::session
