// SPDX-License-Identifier: Apache-2.0
//
// There is no way to ask who has a byte without taking it. Asking (is_byte_taken) therefore takes
// it for a moment, and who tries to have it in that very moment is refused. So every try is made a
// few times before "another has it" is said.
#include "os/lock/byte_lock.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <map>
#include <mutex>
#include <vector>

#include "os/lock/byte_lock_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

constexpr int kByteLockTries = 4;
constexpr const char* kLock = "lock";

struct Held {
  LockRange range;
  HANDLE through = nullptr;
};
struct Entry {
  Handle waiting;  // a second file object of the same file, for overlapped work; made when needed
  Handle keeper;   // a third one, where the name is kept
  std::vector<Held> held;
};

struct Table {
  std::mutex mutex;
  std::map<NativeHandle, Entry> entries;
};
std::atomic<std::size_t> g_entries{0};

Table& table() {
  static auto* all = new Table;  // outlives every static handle
  return *all;
}

std::uint64_t byte_lock_end_of(const LockRange& range) {
  constexpr std::uint64_t kEnd = std::numeric_limits<std::int64_t>::max();
  return range.count == 0 ? kEnd : range.offset + range.count;
}
std::uint64_t length_of(const LockRange& range) { return byte_lock_end_of(range) - range.offset; }
bool same_bytes(const LockRange& one, const LockRange& other) {
  return one.offset == other.offset && byte_lock_end_of(one) == byte_lock_end_of(other);
}
bool covers(const LockRange& outer, const LockRange& inner) {
  return outer.offset <= inner.offset && byte_lock_end_of(inner) <= byte_lock_end_of(outer);
}
bool overlaps(const LockRange& one, const LockRange& other) {
  return one.offset < byte_lock_end_of(other) && other.offset < byte_lock_end_of(one);
}

OVERLAPPED at(const LockRange& range) {
  OVERLAPPED where{};
  where.Offset = static_cast<DWORD>(range.offset);
  where.OffsetHigh = static_cast<DWORD>(range.offset >> 32U);
  return where;
}

DWORD flags_of(Share share) { return share == Share::kExclusive ? LOCKFILE_EXCLUSIVE_LOCK : 0; }

HANDLE native(NativeHandle handle) { return reinterpret_cast<HANDLE>(handle); }

BOOL lock_call(HANDLE handle, DWORD flags, const LockRange& range, OVERLAPPED* where) {
  const std::uint64_t length = length_of(range);
  return sys().LockFileEx(handle, flags, 0, static_cast<DWORD>(length),
                          static_cast<DWORD>(length >> 32U), where);
}

// ERROR_SUCCESS, ERROR_LOCK_VIOLATION, or what went wrong. For handles that are not overlapped.
DWORD lock_now(HANDLE handle, const LockRange& range) {
  for (int tries = 1;; ++tries) {
    OVERLAPPED where = at(range);
    if (lock_call(handle, flags_of(range.share) | LOCKFILE_FAIL_IMMEDIATELY, range, &where) !=
        FALSE) {
      return ERROR_SUCCESS;
    }
    const DWORD code = last_error();
    if (code != ERROR_LOCK_VIOLATION || tries == kByteLockTries) return code;
    sys().Sleep(0);
  }
}

DWORD unlock_now(HANDLE handle, const LockRange& range) {
  OVERLAPPED where = at(range);
  const std::uint64_t length = length_of(range);
  if (sys().UnlockFileEx(handle, 0, static_cast<DWORD>(length), static_cast<DWORD>(length >> 32U),
                         &where) != FALSE) {
    return ERROR_SUCCESS;
  }
  return last_error() == ERROR_NOT_LOCKED ? ERROR_SUCCESS : last_error();
}

void note(NativeHandle handle, const LockRange& range, HANDLE through) {
  const std::scoped_lock hold(table().mutex);
  const auto [at, fresh] = table().entries.try_emplace(handle);
  if (fresh) ++g_entries;
  at->second.held.push_back({.range = range, .through = through});
}

// Those that `wanted` names; taken out of the table where `take` says so.
template <typename Wanted>
std::vector<Held> held_by(NativeHandle handle, const Wanted& wanted, bool take) {
  std::vector<Held> found;
  if (g_entries.load() == 0) return found;
  const std::scoped_lock hold(table().mutex);
  const auto entry = table().entries.find(handle);
  if (entry == table().entries.end()) return found;
  for (const Held& one : entry->second.held) {
    if (wanted(one.range)) found.push_back(one);
  }
  if (take) std::erase_if(entry->second.held, [&](const Held& one) { return wanted(one.range); });
  return found;
}

Result<bool> try_range(NativeHandle handle, const LockRange& range, const std::string& subject) {
  const auto same = [&](const LockRange& own) { return same_bytes(own, range); };
  const std::vector<Held> before = held_by(handle, same, false);
  if (!before.empty() && before.front().range.share == range.share) return true;
  if (!before.empty()) {
    // There is no change of share in one step: in between, others may get it.
    held_by(handle, same, true);
    unlock_now(before.front().through, before.front().range);
  }
  const DWORD code = lock_now(native(handle), range);
  if (code == ERROR_SUCCESS) {
    note(handle, range, native(handle));
    return true;
  }
  if (!before.empty()) {
    const DWORD again = lock_now(native(handle), before.front().range);
    if (again != ERROR_SUCCESS) return fail(win_error(kLock, subject, again, "it is unlocked now"));
    note(handle, before.front().range, native(handle));
  }
  if (code == ERROR_LOCK_VIOLATION) return false;
  return fail(win_error(kLock, subject, code));
}

// Every range of this handle that lies inside. Also where there is none: nothing happens then.
Result<> unlock_range(NativeHandle handle, const LockRange& range, const std::string& subject) {
  const auto cut = [&](const LockRange& own) {
    return overlaps(own, range) && !covers(range, own);
  };
  if (!held_by(handle, cut, false).empty()) {
    return fail(not_offered("unlock a part of a locked range of", subject,
                            "Windows unlocks a range as a whole"));
  }
  DWORD worst = ERROR_SUCCESS;
  for (const Held& one :
       held_by(handle, [&](const LockRange& own) { return covers(range, own); }, true)) {
    const DWORD code = unlock_now(one.through, one.range);
    if (code != ERROR_SUCCESS) worst = code;
  }
  if (worst != ERROR_SUCCESS) return fail(win_error("unlock", subject, worst));
  return {};
}

Result<bool> is_range_taken(NativeHandle handle, const LockRange& range,
                            const std::string& subject) {
  for (const Held& own :
       held_by(handle, [&](const LockRange& one) { return overlaps(one, range); }, false)) {
    const bool nobody_else = covers(own.range, range) && own.range.share == Share::kExclusive;
    const bool both_shared = own.range.share == Share::kShared && range.share == Share::kShared;
    if (nobody_else) return false;
    if (both_shared) continue;
    return fail(not_offered("ask who else has a part of", subject,
                            "Windows counts one's own lock as another's"));
  }
  const DWORD code = lock_now(native(handle), range);
  if (code == ERROR_LOCK_VIOLATION) return true;
  if (code != ERROR_SUCCESS) return fail(win_error("look at the locks of", subject, code));
  const DWORD unlocked = unlock_now(native(handle), range);
  if (unlocked != ERROR_SUCCESS) return fail(win_error("unlock", subject, unlocked));
  return false;
}

// The table's own; lives as long as `handle` is open.
Result<HANDLE> waiting_handle(NativeHandle handle, const std::string& subject) {
  const std::scoped_lock hold(table().mutex);
  const auto [at, fresh] = table().entries.try_emplace(handle);
  if (fresh) ++g_entries;
  Handle& waiting = at->second.waiting;
  if (waiting.valid()) return handle_of(waiting);
  // To read is enough to lock, and every lock file can be read by who uses it. Deletion is shared: a
  // sidecar is replaced while it is held and waited for (rule L14).
  waiting = own(sys().ReOpenFile(native(handle), kReadRights, kDenyNobody, FILE_FLAG_OVERLAPPED));
  if (!waiting.valid()) return fail(last_os_error("open once more", subject));
  return handle_of(waiting);
}

// Closes `waiting` and with it whatever it has or waits for, and opens another in its place. Not
// where somebody has a range through it: a lock that is lost
// unseen is worse than one that stays until the file is closed.
void renew_waiting_handle(NativeHandle handle, HANDLE waiting) {
  const std::scoped_lock hold(table().mutex);
  const auto entry = table().entries.find(handle);
  if (entry == table().entries.end() || handle_of(entry->second.waiting) != waiting) return;
  if (std::ranges::find(entry->second.held, waiting, &Held::through) != entry->second.held.end()) {
    return;
  }
  Handle fresh =
      own(sys().ReOpenFile(native(handle), kReadRights, kDenyNobody, FILE_FLAG_OVERLAPPED));
  // Not by the Handle's own destructor: that would ask this table again.
  sys().CloseHandle(native(entry->second.waiting.release()));
  entry->second.waiting = std::move(fresh);  // nothing: it is opened when it is needed
}

}  // namespace

Result<bool> try_lock_byte(const File& file, std::uint64_t offset, Share share) {
  return try_range(file.native(), {.offset = offset, .count = 1, .share = share}, file.path());
}

Result<> unlock_byte(const File& file, std::uint64_t offset) {
  return unlock_range(file.native(), {.offset = offset, .count = 1}, file.path());
}

Result<bool> try_lock_bytes(const File& file, std::uint64_t offset, std::uint64_t count,
                            Share share) {
  return try_range(file.native(), {.offset = offset, .count = count, .share = share}, file.path());
}

Result<> unlock_bytes(const File& file, std::uint64_t offset, std::uint64_t count) {
  return unlock_range(file.native(), {.offset = offset, .count = count}, file.path());
}

Result<> unlock_at_least(const File& file, std::uint64_t offset, std::uint64_t count) {
  return unlock_bytes(file, offset, count);
}

Result<bool> is_byte_taken(const File& file, std::uint64_t offset, Share share) {
  return is_range_taken(file.native(), {.offset = offset, .count = 1, .share = share}, file.path());
}

Result<bool> is_any_byte_taken(const File& file, std::uint64_t offset) {
  return is_range_taken(file.native(), {.offset = offset, .count = 0}, file.path());
}

Result<bool> try_flock(const File& file, Share share) {
  LockRange range = kInteropByte;
  range.share = share;
  return try_range(file.native(), range, file.path());
}

Result<> unlock_flock(const File& file) {
  return unlock_range(file.native(), kInteropByte, file.path());
}

Result<> pin_lock_file(const File& file) { return keep_name(file.native(), file.path()); }

Result<> keep_name(NativeHandle handle, const std::string& path) {
  const std::scoped_lock hold(table().mutex);
  const auto [at, fresh] = table().entries.try_emplace(handle);
  if (fresh) ++g_entries;
  Handle& keeper = at->second.keeper;
  if (keeper.valid()) return {};
  keeper = own(sys().ReOpenFile(native(handle), kReadRights, kDenyDelete, 0));
  if (!keeper.valid()) return fail(last_os_error("keep the name of", path));
  return {};
}

void forget_locks(NativeHandle handle) noexcept {
  if (g_entries.load() == 0) return;
  const std::scoped_lock hold(table().mutex);
  const auto entry = table().entries.find(handle);
  if (entry == table().entries.end()) return;
  // Not by the Handle's own destructor: that would ask this table again.
  const std::array others{entry->second.waiting.release(), entry->second.keeper.release()};
  table().entries.erase(entry);
  --g_entries;
  for (const NativeHandle other : others) {
    if (other != HandleTraits::nothing()) sys().CloseHandle(native(other));
  }
}

bool read_through_lock(NativeHandle handle, std::uint64_t offset, std::span<char> buffer,
                       DWORD& got) {
  const LockRange wanted{.offset = offset, .count = std::max<std::uint64_t>(buffer.size(), 1)};
  const auto held =
      held_by(handle, [&](const LockRange& own) { return overlaps(own, wanted); }, false);
  const auto second =
      std::ranges::find_if(held, [&](const Held& one) { return one.through != native(handle); });
  if (second == held.end()) return false;
  const HANDLE made = sys().CreateEventW(nullptr, TRUE, FALSE, nullptr);
  if (made == nullptr) return false;  // the read stays refused
  const Handle event = own(made);
  OVERLAPPED where = at(wanted);
  where.hEvent = made;
  const bool done = sys().ReadFile(second->through, buffer.data(),
                                   static_cast<DWORD>(buffer.size()), nullptr, &where) != FALSE ||
                    last_error() == ERROR_IO_PENDING;
  return done && sys().GetOverlappedResult(second->through, &where, &got, TRUE) != FALSE;
}

// --- waiting

Result<std::unique_ptr<PendingLock>> PendingLock::begin(NativeHandle handle,
                                                        const LockRange& range) {
  constexpr ULONG_PTR kStillPending = 0x103;  // STATUS_PENDING
  std::unique_ptr<PendingLock> made(new PendingLock(handle, range));
  auto waiting = waiting_handle(handle, "a lock file");
  if (!waiting) return fail(std::move(waiting).error());
  made->waiting_ = *waiting;
  const HANDLE event = sys().CreateEventW(nullptr, TRUE, FALSE, nullptr);
  if (event == nullptr) return fail(last_os_error("wait for", "a lock"));
  made->event_ = own(event);
  *made->request_ = at(range);
  made->request_->hEvent = event;
  made->request_->Internal = kStillPending;  // Wine leaves it as it is
  made->pending_ = true;
  if (lock_call(made->waiting_, flags_of(range.share), range, made->request_.get()) != FALSE) {
    sys().SetEvent(event);
    made->request_->Internal = 0;
    return made;
  }
  const DWORD code = last_error();
  if (code == ERROR_IO_PENDING) return made;
  made->pending_ = false;
  return fail(win_error("wait for", "a lock", code));
}

std::optional<DWORD> PendingLock::outcome() {
  if (sys().WaitForSingleObject(event(), 0) != WAIT_OBJECT_0) return std::nullopt;
  pending_ = false;
  DWORD unused = 0;
  if (request_->Internal == 0 ||
      sys().GetOverlappedResult(waiting_, request_.get(), &unused, FALSE) != FALSE) {
    return DWORD{ERROR_SUCCESS};
  }
  return last_error();
}

Result<bool> PendingLock::got() {
  if (pending_) {
    if (const auto code = outcome()) {
      if (*code != ERROR_SUCCESS) return fail(win_error("wait for", "a lock", *code));
      note(handle_, range_, waiting_);
      return true;
    }
  }
  return try_range(handle_, range_, "a lock file");
}

PendingLock::~PendingLock() {
  if (pending_) cancel();
}

// Whether it came before it could be cancelled is told by the answer to this very request. Without
// an answer it is still the kernel's, which may yet write to it and give us a lock that nobody
// knows of: then the handle that it was made through is closed, which ends both, and the request
// and its event are left to the kernel. The same where the range cannot be given back. (Wine 8
// takes no request at all: there nothing is on its way.)
void PendingLock::cancel() {
  DWORD unused = 0;
  const bool cancelled = sys().CancelIoEx(waiting_, request_.get()) != FALSE;
  if (cancelled) sys().GetOverlappedResult(waiting_, request_.get(), &unused, TRUE);
  const auto answer = outcome();
  if (!answer && !under_wine()) {
    static_cast<void>(request_.release());
    static_cast<void>(event_.release());
    renew_waiting_handle(handle_, waiting_);
  } else if (answer == DWORD{ERROR_SUCCESS} && unlock_now(waiting_, range_) != ERROR_SUCCESS) {
    renew_waiting_handle(handle_, waiting_);
  }
}

}  // namespace holdfast::os
