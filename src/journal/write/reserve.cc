// SPDX-License-Identifier: Apache-2.0
#include "journal/write/reserve.h"

#include <algorithm>

#include "os/file/file_system.h"

namespace holdfast::journal {
namespace {

using os::operator""_name;

constexpr os::NameLiteral kReserveName = "reserve"_name;
constexpr std::uint64_t kLeastReserve = 4096;

std::uint64_t free_bytes(const os::Dir& dir) {
  const Result<os::FileSystem> system = os::file_system_of(dir);
  return system ? system->free_bytes.value_or(0) : 0;
}

}  // namespace

void ensure_reserve(const os::Dir& dir) {
  const auto there = dir.info(kReserveName);
  // An empty one was made by somebody who died before it had its space.
  if (!there || (*there && (*there)->size != 0)) return;
  if (*there && !dir.remove_file(kReserveName)) return;
  const std::uint64_t size = std::min(kReserveBytes, free_bytes(dir) / 16);
  if (size < kLeastReserve) return;
  Result<std::optional<os::File>> file = dir.create_file(kReserveName, 0600);
  if (!file || !*file) return;
  if (!(*file)->allocate(size)) {
    // A file without its space would promise what it has not got.
    static_cast<void>(dir.remove_file(kReserveName));
  }
}

Result<bool> give_up_reserve(const os::Dir& dir) {
  return HF_TRY(dir.remove_file(kReserveName)) == os::Removed::kRemoved;
}

bool has_room_again(const os::Dir& dir) { return free_bytes(dir) >= kRoomAgainBytes; }

}  // namespace holdfast::journal
