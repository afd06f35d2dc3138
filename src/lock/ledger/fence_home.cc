// SPDX-License-Identifier: Apache-2.0
#include "lock/ledger/fence_home.h"

#include <array>
#include <string>

#include "format/lock/lock_ledger.h"
#include "lock/ledger/layout.h"
#include "os/dir/dir.h"
#include "os/lock/byte_lock.h"
#include "os/lock/lock_wait.h"
#include "os/machine/real_clock.h"

namespace holdfast::lock {
namespace {

using os::operator""_name;

constexpr std::uint64_t kStep = 4096;
constexpr Duration kPatience = std::chrono::seconds(1);
constexpr std::size_t kBytes = kMarkStride + kMarkBytes;
const os::SafeName& file_name() {
  static const os::SafeName kName = ".fence"_name;
  return kName;
}

struct Slots {
  FenceMark newest;
  int next = 0;  // the slot to write
};

// A damaged slot counts as none, and is the one that is written next.
Result<Slots> read_slots(const os::File& file) {
  std::array<char, kBytes> bytes{};
  const std::size_t got = HF_TRY(file.read_into(0, bytes));
  const std::string_view all(bytes.data(), got);
  Slots slots;
  for (int i = 0; i < 2; ++i) {
    const std::size_t at = static_cast<std::size_t>(i) * kMarkStride;
    const auto mark = decode_fence_mark(at < got ? all.substr(at, kMarkBytes) : std::string_view());
    if (!mark && mark.error().code == ErrorCode::kCannotTell) return fail(mark.error());
    if (!mark || !*mark) continue;
    if ((*mark)->seq < slots.newest.seq) continue;
    slots.newest = **mark;
    slots.next = 1 - i;
  }
  return slots;
}

Result<> check(const os::File& file) {
  const os::Exposure exposure = HF_TRY(file.exposure());
  if (exposure.owner == os::Exposure::Owner::kSelf &&
      exposure.others != os::Exposure::Others::kWrite)
    return {};
  return fail({.code = ErrorCode::kRefused,
               .op = "use",
               .subject = file.path(),
               .cause = "foreign-owner",
               .detail = "others could change it; nothing was locked"});
}

}  // namespace

std::uint64_t fence_floor(const Clock& clock) {
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(clock.wall().time_since_epoch()).count();
  constexpr std::int64_t kMost = std::int64_t{1} << 43U;
  if (seconds <= 0 || seconds >= kMost) return 0;
  return static_cast<std::uint64_t>(seconds) << 20U;
}

Result<std::uint64_t> FenceHome::mark() const {
  const auto file = HF_TRY(locks_.open_file(file_name(), os::Access::kRead));
  if (!file) return 0;
  return HF_TRY(read_slots(*file)).newest.mark;
}

Result<std::uint64_t> FenceHome::raise(std::uint64_t wanted) const {
  auto file = HF_TRY(locks_.open_file(file_name(), os::Access::kReadWrite));
  const bool made = !file;
  if (!file) file = HF_TRY(locks_.create_file(file_name(), kPrivateFile));
  if (!file) file = HF_TRY(locks_.open_file(file_name(), os::Access::kReadWrite));
  if (!file) {
    return fail({.code = ErrorCode::kCannotTell,
                 .op = "open",
                 .subject = locks_.path_of(file_name()),
                 .cause = "vanishes",
                 .detail = "somebody makes and removes it at the same time"});
  }
  HF_TRY(check(*file));
  const bool locked = HF_TRY(os::wait_for_lock(
      kPatience, [&] { return os::try_lock_byte(*file, kGuardByte, os::Share::kExclusive); },
      os::pause));
  if (!locked) {
    return fail({.code = ErrorCode::kBusy,
                 .op = "raise the fence of",
                 .subject = locks_.path(),
                 .cause = "guard-timeout",
                 .detail = "another process holds it; nothing was locked"});
  }
  const Slots slots = HF_TRY(read_slots(*file));
  if (slots.newest.mark >= wanted) return slots.newest.mark;
  const FenceMark next{.seq = slots.newest.seq + 1, .mark = wanted + kStep};
  std::array<char, kMarkBytes> bytes{};
  encode(next, bytes.data());
  HF_TRY(file->write_at(static_cast<std::uint64_t>(slots.next) * kMarkStride,
                        {bytes.data(), bytes.size()}));
  HF_TRY(file->sync_data());
  if (made) HF_TRY(locks_.sync());
  return next.mark;
}

}  // namespace holdfast::lock
