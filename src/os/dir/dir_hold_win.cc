// SPDX-License-Identifier: Apache-2.0
#include "os/dir/dir_hold.h"

#include <optional>

#include "os/dir/dir.h"
#include "os/dir/dir_names.h"
#include "os/lock/byte_lock_win.h"
#include "os/lock/lock_wait.h"
#include "os/machine/real_clock.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

constexpr int kMostNewcomers = 8;

Result<File> open_holds(const Dir& beside, const SafeName& kind) {
  for (int i = 0; i < kMostNewcomers; ++i) {
    auto file = HF_TRY(beside.open_file(kind, Access::kReadWrite));
    if (file) {
      HF_TRY(keep_name(file->native(), file->path()));  // else two could hold, in two files
      return *std::move(file);
    }
    HF_TRY(beside.create_file(kind, kPrivateFile));  // by us or by another, all the same
  }
  return fail({.code = ErrorCode::kBusy,
               .op = "open the lock",
               .subject = beside.path_of(kind),
               .cause = "file-removed",
               .detail = "somebody removes it while it is being made"});
}

Result<bool> try_byte(const File& file, std::uint64_t offset) {
  constexpr DWORD kHow = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
  OVERLAPPED at{};
  at.Offset = static_cast<DWORD>(offset & 0xFFFFFFFFU);
  at.OffsetHigh = static_cast<DWORD>(offset >> 32U);
  if (sys().LockFileEx(reinterpret_cast<HANDLE>(file.native()), kHow, 0, 1, 0, &at) != FALSE) {
    return true;
  }
  if (last_error() == ERROR_LOCK_VIOLATION) return false;
  return fail(last_os_error("lock", file.path()));
}

// The directory of this number, and no other.
Result<Dir> reopen(const Dir& parent, const SafeName& name, const FileId& id) {
  Dir dir = HF_TRY(parent.open_dir(name));
  if (HF_TRY(dir.info()).id == id) return dir;
  return fail({.code = ErrorCode::kRefused,
               .op = "move",
               .subject = parent.path_of(name),
               .cause = "replaced",
               .detail = "another was put in its place in this moment"});
}

}  // namespace

void close_for_removal(Dir& open) { const Dir gone = std::move(open); }

Result<Hold> hold_dir(const Dir& beside, const Dir& dir, const SafeName& kind, Duration limit) {
  constexpr std::uint64_t kHighest = 0x3FFFFFFFFFFFFFFFU;  // what a file offset can be
  const std::uint64_t offset = HF_TRY(dir.info()).id.inode & kHighest;
  auto file = std::make_shared<File>(HF_TRY(open_holds(beside, kind)));
  if (!HF_TRY(wait_for_lock(limit, [&] { return try_byte(*file, offset); }, pause))) return Hold();
  return Hold(std::move(file));
}

Result<Placed> move_open(const Dir& from, const SafeName& name, const Dir& to,
                         const SafeName& new_name, Dir& moved) {
  const FileId id = HF_TRY(moved.info()).id;
  close_for_removal(moved);
  const auto placed = move_new(from, name, to, new_name);
  if (!placed || *placed != Placed::kPlaced) {
    auto again = reopen(from, name, id);
    if (again) moved = *std::move(again);
    if (!again && placed) return fail(again.error());  // else the caller would go on with nothing
    return placed;
  }
  auto there = reopen(to, new_name, id);
  if (there) {
    moved = *std::move(there);
    return placed;
  }
  // Moved, but nobody can say that this is it: it goes back, and the answer says where it is.
  Error error = there.error();
  const auto back = move_new(to, new_name, from, name);
  const bool is_back = back && *back == Placed::kPlaced;
  if (is_back) {
    auto again = reopen(from, name, id);
    if (again) moved = *std::move(again);
  }
  error.detail += is_back ? "; it was left as it is" : "; it is " + to.path_of(new_name) + " now";
  return fail(std::move(error));
}

Result<Removed> remove_open(const Dir& parent, const SafeName& name, Dir& open) {
  close_for_removal(open);
  return parent.remove_dir(name);
}

}  // namespace holdfast::os
