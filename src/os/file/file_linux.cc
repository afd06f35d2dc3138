// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "os/file/file.h"
#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {

Result<std::size_t> File::read_next(std::span<char> buffer) {
  const ssize_t got =
      retry_eintr([&] { return sys().read(fd_of(handle_), buffer.data(), buffer.size()); });
  if (got < 0) return fail(last_os_error("read", path_));
  return static_cast<std::size_t>(got);
}

Result<std::size_t> File::read_once(std::uint64_t offset, std::span<char> buffer) const {
  const ssize_t got = retry_eintr([&] {
    return sys().pread(fd_of(handle_), buffer.data(), buffer.size(), static_cast<off_t>(offset));
  });
  if (got < 0) return fail(last_os_error("read", path_));
  return static_cast<std::size_t>(got);
}

Result<std::size_t> File::read_into(std::uint64_t offset, std::span<char> buffer) const {
  std::size_t have = 0;
  while (have < buffer.size()) {
    const ssize_t got = retry_eintr([&] {
      return sys().pread(fd_of(handle_), buffer.data() + have, buffer.size() - have,
                         static_cast<off_t>(offset + have));
    });
    if (got < 0) return fail(last_os_error("read", path_));
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  return have;
}

Result<std::size_t> File::write_next(std::string_view bytes) {
  const ssize_t wrote =
      retry_eintr([&] { return sys().write(fd_of(handle_), bytes.data(), bytes.size()); });
  if (wrote < 0) return fail(last_os_error("write", path_));
  if (wrote == 0) return fail(os_error("write", path_, EIO));  // it would be so for ever
  return static_cast<std::size_t>(wrote);
}

Result<> File::write_at(std::uint64_t offset, std::string_view bytes) {
  if (writes_ == Writes::kAtEnd) return fail(os_error("write at an offset of", path_, EINVAL));
  while (!bytes.empty()) {
    const ssize_t wrote = retry_eintr([&] {
      return sys().pwrite(fd_of(handle_), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    });
    if (wrote < 0) return fail(last_os_error("write", path_));
    if (wrote == 0) return fail(os_error("write", path_, EIO));
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
    offset += static_cast<std::uint64_t>(wrote);
  }
  return {};
}

Result<> File::truncate(std::uint64_t size) {
  if (retry_eintr([&] { return sys().ftruncate(fd_of(handle_), static_cast<off_t>(size)); }) != 0) {
    return fail(last_os_error("set the length of", path_));
  }
  return {};
}

Result<> File::allocate(std::uint64_t size) {
  if (size == 0) return {};  // fallocate takes it for a mistake
  const auto length = static_cast<off_t>(size);
  if (retry_eintr([&] { return sys().fallocate(fd_of(handle_), 0, 0, length); }) != 0) {
    return fail(last_os_error("allocate space for", path_));
  }
  return {};
}

Result<> File::set_mode(std::uint32_t mode) {
  if (sys().fchmod(fd_of(handle_), mode) != 0) return fail(last_os_error("set the mode of", path_));
  return {};
}

// Waiting for write-back that is under way reports the errors of this open file description, as
// fsync does, without asking the device to flush.
Result<> File::check_written_back() {
  if (retry_eintr([&] {
        return sys().sync_file_range(fd_of(handle_), 0, 1, SYNC_FILE_RANGE_WAIT_BEFORE);
      }) != 0 &&
      errno != ENOSYS && errno != EINVAL && errno != ESPIPE) {
    return fail(last_os_error("sync", path_));
  }
  return {};
}

Result<> File::sync_data() {
  if (retry_eintr([&] { return sys().fdatasync(fd_of(handle_)); }) != 0) {
    return fail(last_os_error("sync", path_));
  }
  return {};
}

Result<> File::sync() {
  if (retry_eintr([&] { return sys().fsync(fd_of(handle_)); }) != 0) {
    return fail(last_os_error("sync", path_));
  }
  return {};
}

Result<> File::sync_name() { return {}; }

Result<FileInfo> File::info() const {
  struct stat info{};
  if (sys().fstat(fd_of(handle_), &info) != 0) return fail(last_os_error("look at", path_));
  return to_file_info(info);
}

Result<Exposure> File::exposure() const {
  struct stat info{};
  if (sys().fstat(fd_of(handle_), &info) != 0) return fail(last_os_error("look at", path_));
  return to_exposure(info, sys().geteuid());
}

Result<> File::close() {
  // Not retried on EINTR: the descriptor is gone either way, and its number may be another's by
  // then.
  if (sys().close(static_cast<int>(handle_.release())) != 0 && errno != EINTR) {
    return fail(last_os_error("close", path_));
  }
  return {};
}

}  // namespace holdfast::os
