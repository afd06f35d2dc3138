// SPDX-License-Identifier: Apache-2.0
#include "os/stream/pipe.h"

#include <algorithm>

#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

constexpr DWORD kRoom = 65536;
constexpr std::size_t kMaxPipeTransfer = std::size_t{1} << 30U;

}  // namespace

Result<Pipe> make_pipe() {
  HANDLE read_end = nullptr;
  HANDLE write_end = nullptr;
  if (sys().CreatePipe(&read_end, &write_end, nullptr, kRoom) == FALSE) {
    return fail(last_os_error("make", "a pipe"));
  }
  return Pipe{.read_end = own(read_end), .write_end = own(write_end)};
}

// An anonymous pipe of Windows has one direction.
Handle unbreakable_end(Handle write_end) { return write_end; }

Result<std::size_t> write_some(const Handle& write_end, std::string_view bytes) {
  const auto count = static_cast<DWORD>(std::min(bytes.size(), kMaxPipeTransfer));
  DWORD wrote = 0;
  if (sys().WriteFile(handle_of(write_end), bytes.data(), count, &wrote, nullptr) == FALSE) {
    return fail(last_os_error("write to", "a pipe"));
  }
  return wrote;
}

// A writer may write nothing, which wakes a reader here: that is not the end.
Result<std::size_t> read_pipe(const Handle& read_end, std::span<char> buffer) {
  const auto count = static_cast<DWORD>(std::min(buffer.size(), kMaxPipeTransfer));
  for (;;) {
    DWORD got = 0;
    if (sys().ReadFile(handle_of(read_end), buffer.data(), count, &got, nullptr) == FALSE) {
      const DWORD code = last_error();
      if (code == ERROR_BROKEN_PIPE || code == ERROR_HANDLE_EOF) return std::size_t{0};
      return fail(win_error("read from", "a pipe", code));
    }
    if (got > 0 || count == 0) return got;
    if (sys().GetFileType(handle_of(read_end)) != FILE_TYPE_PIPE) return std::size_t{0};
  }
}

std::string with_plain_line_ends(std::string printed) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < printed.size(); ++i) {
    const bool ends_a_line = printed[i] == '\r' && i + 1 < printed.size() && printed[i + 1] == '\n';
    if (!ends_a_line) printed[kept++] = printed[i];
  }
  printed.resize(kept);
  return printed;
}

}  // namespace holdfast::os
