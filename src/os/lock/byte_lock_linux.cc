// SPDX-License-Identifier: Apache-2.0
#include "os/lock/byte_lock.h"

#include <sys/file.h>

#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

int byte_lock_fd_of(const File& file) { return static_cast<int>(file.native()); }

struct flock bytes(std::uint64_t offset, std::uint64_t count, int type) {
  struct flock range{};
  range.l_type = static_cast<short>(type);
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(offset);
  range.l_len = static_cast<off_t>(count);
  return range;
}

int byte_lock_type_of(Share share) { return share == Share::kShared ? F_RDLCK : F_WRLCK; }

Result<bool> is_taken(const File& file, struct flock range) {
  if (retry_eintr([&] { return sys().ofd_lock(byte_lock_fd_of(file), F_OFD_GETLK, &range); }) != 0)
    return fail(last_os_error("look at the lock of", file.path()));
  return range.l_type != F_UNLCK;
}

}  // namespace

Result<bool> try_lock_bytes(const File& file, std::uint64_t offset, std::uint64_t count,
                            Share share) {
  auto range = bytes(offset, count, byte_lock_type_of(share));
  if (retry_eintr([&] { return sys().ofd_lock(byte_lock_fd_of(file), F_OFD_SETLK, &range); }) == 0)
    return true;
  if (errno == EAGAIN || errno == EACCES) return false;
  return fail(last_os_error("lock", file.path()));
}

Result<> unlock_bytes(const File& file, std::uint64_t offset, std::uint64_t count) {
  auto range = bytes(offset, count, F_UNLCK);
  if (retry_eintr([&] { return sys().ofd_lock(byte_lock_fd_of(file), F_OFD_SETLK, &range); }) == 0)
    return {};
  return fail(last_os_error("unlock", file.path()));
}

// All there are: then the kernel has no rest to make room for, which is a tenth of the call.
Result<> unlock_at_least(const File& file, std::uint64_t /*offset*/, std::uint64_t /*count*/) {
  return unlock_bytes(file, 0, 0);
}

Result<bool> try_lock_byte(const File& file, std::uint64_t offset, Share share) {
  return try_lock_bytes(file, offset, 1, share);
}

Result<> unlock_byte(const File& file, std::uint64_t offset) {
  return unlock_bytes(file, offset, 1);
}

Result<bool> is_byte_taken(const File& file, std::uint64_t offset, Share share) {
  return is_taken(file, bytes(offset, 1, byte_lock_type_of(share)));
}

Result<bool> is_any_byte_taken(const File& file, std::uint64_t offset) {
  constexpr std::uint64_t kToTheEnd = 0;
  return is_taken(file, bytes(offset, kToTheEnd, F_WRLCK));
}

Result<bool> try_flock(const File& file, Share share) {
  const int operation = (share == Share::kShared ? LOCK_SH : LOCK_EX) | LOCK_NB;
  if (retry_eintr([&] { return sys().flock(byte_lock_fd_of(file), operation); }) == 0) return true;
  if (errno == EWOULDBLOCK) return false;
  return fail(last_os_error("lock", file.path()));
}

Result<> unlock_flock(const File& file) {
  if (retry_eintr([&] { return sys().flock(byte_lock_fd_of(file), LOCK_UN); }) == 0) return {};
  return fail(last_os_error("unlock", file.path()));
}

// Refused only by somebody's exclusive flock, which does the same.
Result<> pin_lock_file(const File& file) {
  const auto pinned = try_flock(file, Share::kShared);
  if (!pinned) return fail(pinned.error());
  return {};
}

}  // namespace holdfast::os
