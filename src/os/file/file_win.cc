// SPDX-License-Identifier: Apache-2.0
//
// Windows has no pread: a transfer at an offset moves the file pointer too. read_at and write_at
// put it back, so that read_all and write_all go on where they were, as everywhere; unlike on
// Linux, two threads must therefore not use one File at the same time.
//
// Appending is a write at the offset of all ones, which the file system takes for "the end".
#include "os/file/file.h"

#include <algorithm>

#include "os/file/security_win.h"
#include "os/lock/byte_lock_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

constexpr std::size_t kMaxTransfer = std::size_t{1} << 30U;
constexpr std::uint64_t kTheEnd = ~std::uint64_t{0};

DWORD transfer_size(std::size_t size) { return static_cast<DWORD>(std::min(size, kMaxTransfer)); }

OVERLAPPED file_at_offset(std::uint64_t offset) {
  OVERLAPPED at{};
  at.Offset = static_cast<DWORD>(offset);
  at.OffsetHigh = static_cast<DWORD>(offset >> 32U);
  return at;
}

// Remembers the file pointer and puts it back.
class KeepPosition {
 public:
  explicit KeepPosition(HANDLE handle) : handle_(handle) {
    kept_ = sys().SetFilePointerEx(handle_, LARGE_INTEGER{}, &position_, FILE_CURRENT) != FALSE;
  }
  ~KeepPosition() {
    if (kept_) sys().SetFilePointerEx(handle_, position_, nullptr, FILE_BEGIN);
  }
  KeepPosition(const KeepPosition&) = delete;
  KeepPosition& operator=(const KeepPosition&) = delete;
  [[nodiscard]] bool kept() const { return kept_; }

 private:
  HANDLE handle_;
  LARGE_INTEGER position_{};
  bool kept_ = false;
};

}  // namespace

Result<std::size_t> File::read_next(std::span<char> buffer) {
  DWORD got = 0;
  if (sys().ReadFile(handle_of(handle_), buffer.data(), transfer_size(buffer.size()), &got,
                     nullptr) == FALSE) {
    return fail(last_os_error("read", path_));
  }
  return got;
}

Result<std::size_t> File::read_once(std::uint64_t offset, std::span<char> buffer) const {
  return read_into(offset, buffer);
}

Result<std::size_t> File::read_into(std::uint64_t offset, std::span<char> buffer) const {
  const KeepPosition keep(handle_of(handle_));
  if (!keep.kept()) return fail(last_os_error("read", path_));
  std::size_t have = 0;
  while (have < buffer.size()) {
    OVERLAPPED at = file_at_offset(offset + have);
    DWORD got = 0;
    if (sys().ReadFile(handle_of(handle_), buffer.data() + have,
                       transfer_size(buffer.size() - have), &got, &at) == FALSE) {
      const DWORD code = last_error();
      if (code == ERROR_HANDLE_EOF) break;
      const bool own_lock =
          code == ERROR_LOCK_VIOLATION &&
          read_through_lock(handle_.get(), offset + have, buffer.subspan(have), got);
      if (!own_lock) return fail(win_error("read", path_, code));
    }
    if (got == 0) break;
    have += got;
  }
  return have;
}

Result<std::size_t> File::write_next(std::string_view bytes) {
  OVERLAPPED end = file_at_offset(kTheEnd);
  DWORD wrote = 0;
  if (sys().WriteFile(handle_of(handle_), bytes.data(), transfer_size(bytes.size()), &wrote,
                      writes_ == Writes::kAtEnd ? &end : nullptr) == FALSE) {
    return fail(last_os_error("write", path_));
  }
  if (wrote == 0) return fail(win_error("write", path_, ERROR_WRITE_FAULT));
  return wrote;
}

Result<> File::write_at(std::uint64_t offset, std::string_view bytes) {
  if (writes_ == Writes::kAtEnd) {
    return fail(win_error("write at an offset of", path_, ERROR_INVALID_PARAMETER));
  }
  const KeepPosition keep(handle_of(handle_));
  if (!keep.kept()) return fail(last_os_error("write", path_));
  while (!bytes.empty()) {
    OVERLAPPED at = file_at_offset(offset);
    DWORD wrote = 0;
    if (sys().WriteFile(handle_of(handle_), bytes.data(), transfer_size(bytes.size()), &wrote,
                        &at) == FALSE) {
      return fail(last_os_error("write", path_));
    }
    if (wrote == 0) return fail(win_error("write", path_, ERROR_WRITE_FAULT));
    bytes.remove_prefix(wrote);
    offset += wrote;
  }
  return {};
}

Result<> File::truncate(std::uint64_t size) {
  FILE_END_OF_FILE_INFO end{};
  end.EndOfFile.QuadPart = static_cast<LONGLONG>(size);
  if (sys().SetFileInformationByHandle(handle_of(handle_), FileEndOfFileInfo, &end, sizeof(end)) ==
      FALSE) {
    return fail(last_os_error("set the length of", path_));
  }
  return {};
}

Result<> File::allocate(std::uint64_t size) {
  if (HF_TRY(info()).size >= size) return {};
  return truncate(size);
}

Result<> File::set_mode(std::uint32_t mode) {
  return set_access_for_mode(handle_of(handle_), mode, path_);
}

Result<> File::check_written_back() { return {}; }

Result<> File::sync_data() { return sync(); }

Result<> File::sync() {
  if (sys().FlushFileBuffers(handle_of(handle_)) != FALSE) return {};
  if (last_error() != ERROR_ACCESS_DENIED) return fail(last_os_error("sync", path_));
  // Only who may write may flush: the same file once more, for that.
  const Handle again =
      own(sys().ReOpenFile(handle_of(handle_), kWriteRights, kDenyNobody, kOpenLinkItself));
  if (again.valid() && sys().FlushFileBuffers(handle_of(again)) != FALSE) return {};
  return fail(last_os_error("sync", path_));
}

// The name is in the file's own record, too, and its flush takes with it what was logged before.
Result<> File::sync_name() { return sync(); }

Result<FileInfo> File::info() const {
  BY_HANDLE_FILE_INFORMATION info{};
  if (sys().GetFileInformationByHandle(handle_of(handle_), &info) == FALSE) {
    return fail(last_os_error("look at", path_));
  }
  return to_file_info(info);
}

Result<Exposure> File::exposure() const { return exposure_of(handle_of(handle_), path_); }

Result<> File::close() {
  // CloseHandle would take "nothing" for the process itself and be content.
  if (!handle_.valid()) return fail(win_error("close", path_, ERROR_INVALID_HANDLE));
  forget_locks(handle_.get());
  if (sys().CloseHandle(reinterpret_cast<HANDLE>(handle_.release())) == FALSE) {
    return fail(last_os_error("close", path_));
  }
  return {};
}

}  // namespace holdfast::os
