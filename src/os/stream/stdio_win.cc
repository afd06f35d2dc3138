// SPDX-License-Identifier: Apache-2.0
//
// A console takes and gives UTF-16, everything else bytes. (A terminal emulator that talks through
// pipes, as MSYS does, is bytes and not a terminal.) The console's half cannot be shown under Wine
// without a display; it is checked by reading.
#include "os/stream/stdio.h"

#include <algorithm>
#include <array>

#include "base/cause.h"
#include "os/path/wide_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

// WriteConsoleW refuses more than about 64 KiB at once.
constexpr std::size_t kConsoleChunk = 8192;
constexpr std::size_t kMaxStdioTransfer = std::size_t{1} << 30U;

std::string_view name_of(Stream stream) {
  constexpr std::array<std::string_view, 3> kNames{"stdin", "stdout", "stderr"};
  return kNames[static_cast<std::size_t>(stream)];
}

// Null where there is none: a detached process has no streams at all.
HANDLE handle_of(Stream stream) {
  constexpr std::array<DWORD, 3> kIds{kStdInput, kStdOutput, kStdError};
  const HANDLE handle = sys().GetStdHandle(kIds[static_cast<std::size_t>(stream)]);
  return reinterpret_cast<std::intptr_t>(handle) == kInvalidHandle ? nullptr : handle;
}

Error stream_error(std::string_view op, Stream stream, DWORD code) {
  Error error = win_error(op, name_of(stream), code);
  error.code = ErrorCode::kIo;
  return error;
}

Result<> write_console(HANDLE handle, Stream stream, std::wstring_view text) {
  while (!text.empty()) {
    std::size_t count = std::min(text.size(), kConsoleChunk);
    const bool splits_a_pair = count < text.size() && (text[count] & 0xFC00) == 0xDC00;
    if (splits_a_pair) --count;
    DWORD wrote = 0;
    if (sys().WriteConsoleW(handle, text.data(), static_cast<DWORD>(count), &wrote, nullptr) ==
        FALSE) {
      return fail(stream_error("write to", stream, last_error()));
    }
    if (wrote == 0) return fail(stream_error("write to", stream, ERROR_WRITE_FAULT));
    text.remove_prefix(wrote);
  }
  return {};
}

Error too_large(std::size_t max) {
  return {.code = ErrorCode::kRefused,
          .op = "read from",
          .subject = "stdin",
          .cause = cause::kTooLarge,
          .detail = "more than " + std::to_string(max) + " bytes"};
}

// One read of what was typed, as UTF-8. It ends at a line that starts with Ctrl-Z, as a person
// types it. A UTF-16 unit is at most three bytes, and a pair of them is four; a pair that one read
// splits is completed by reading its second half.
Result<std::size_t> read_console(HANDLE handle, std::span<char> buffer) {
  constexpr wchar_t kCtrlZ = 0x1A;
  std::array<wchar_t, 4096> line;
  const std::size_t room = std::min(line.size() - 1, (buffer.size() - 1) / 3);
  DWORD got = 0;
  if (sys().ReadConsoleW(handle, line.data(), static_cast<DWORD>(room), &got, nullptr) == FALSE) {
    return fail(last_os_error("read from", "stdin"));
  }
  if (got == 0 || line[0] == kCtrlZ) return 0;
  const bool splits_a_pair = (line[got - 1] & 0xFC00) == 0xD800;
  DWORD more = 0;
  if (splits_a_pair && sys().ReadConsoleW(handle, line.data() + got, 1, &more, nullptr) == FALSE) {
    return fail(last_os_error("read from", "stdin"));
  }
  const std::string text = from_wide(std::wstring_view(line.data(), got + more));
  std::copy(text.begin(), text.end(), buffer.begin());
  return text.size();
}

}  // namespace

// Nothing to do: Windows never gives the place of a missing stream to a file that is opened later,
// and a reader that went away is an error of WriteFile, not a signal.
Result<> adopt_standard_streams() { return {}; }

Result<> write_stream(Stream stream, std::string_view text) {
  const HANDLE handle = handle_of(stream);
  if (handle == nullptr) return fail(stream_error("write to", stream, ERROR_INVALID_HANDLE));
  if (is_terminal(stream)) {
    const auto wide = to_wide(text);
    if (wide) return write_console(handle, stream, *wide);
  }
  while (!text.empty()) {
    const auto count = static_cast<DWORD>(std::min(text.size(), kMaxStdioTransfer));
    DWORD wrote = 0;
    if (sys().WriteFile(handle, text.data(), count, &wrote, nullptr) == FALSE) {
      return fail(stream_error("write to", stream, last_error()));
    }
    if (wrote == 0) return fail(stream_error("write to", stream, ERROR_WRITE_FAULT));
    text.remove_prefix(wrote);
  }
  return {};
}

Result<std::string> read_stdin(std::size_t max) {
  std::string bytes;
  std::array<char, 65536> buffer;
  for (;;) {
    const std::size_t got = HF_TRY(read_stdin_some(buffer));
    if (got == 0) return bytes;
    if (bytes.size() + got > max) return fail(too_large(max));
    bytes.append(buffer.data(), got);
  }
}

Result<std::size_t> read_stdin_some(std::span<char> buffer) {
  const HANDLE handle = handle_of(Stream::kIn);
  if (handle == nullptr) return 0;  // no stdin reads as empty
  if (is_terminal(Stream::kIn)) return read_console(handle, buffer);
  const auto count = static_cast<DWORD>(std::min(buffer.size(), kMaxStdioTransfer));
  DWORD got = 0;
  if (sys().ReadFile(handle, buffer.data(), count, &got, nullptr) == FALSE) {
    if (last_error() == ERROR_BROKEN_PIPE) return 0;  // how a pipe says its end
    return fail(last_os_error("read from", "stdin"));
  }
  return got;
}

Result<StdinKind> stdin_kind() {
  const HANDLE handle = handle_of(Stream::kIn);
  if (handle == nullptr) return StdinKind::kNull;
  if (is_terminal(Stream::kIn)) return StdinKind::kTerminal;
  switch (sys().GetFileType(handle)) {
    case FILE_TYPE_DISK:
      return StdinKind::kFile;
    case FILE_TYPE_PIPE:
      return StdinKind::kPipe;
    case FILE_TYPE_CHAR:  // no console: NUL, in all likelihood, and nothing else is worth a
                          // question
      return StdinKind::kNull;
    default:
      return StdinKind::kOther;
  }
}

bool is_terminal(Stream stream) {
  DWORD mode = 0;
  return sys().GetConsoleMode(handle_of(stream), &mode) != FALSE;
}

std::optional<int> terminal_columns(Stream stream) {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (sys().GetConsoleScreenBufferInfo(handle_of(stream), &info) == FALSE) return std::nullopt;
  const int columns = info.srWindow.Right - info.srWindow.Left + 1;
  if (columns <= 0) return std::nullopt;
  return columns;
}

}  // namespace holdfast::os
