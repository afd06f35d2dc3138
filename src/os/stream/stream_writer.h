// SPDX-License-Identifier: Apache-2.0
//
// StreamWriter: the caller's stdout or stderr, for a process that must never wait for its reader.
//
// A terminal that was halted (Ctrl-S) or a pipe that nobody empties keeps a plain write for ever.
// Making the stream itself non-blocking is no way out: its flags are shared with every process that
// has it, the caller's shell among them. So a pipe or a terminal is opened once more, with flags of
// its own, through /proc; a socket is sent to without waiting. Where neither works, at most
// kSmallPiece bytes are written at a time, after the kernel said that there is room.
//
// On Windows a helper thread makes the write, and handle() is an event: the bytes count as taken
// once they are written, so whoever was told 0 calls again with the same bytes in front.
//
// Errors: nobody reads it any more (`epipe`, `eio`), or it is full for good (`enospc`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "os/stream/stdio.h"
#include "os/sys/handle.h"

namespace holdfast::os {

class StreamWriter {
 public:
  static constexpr std::size_t kSmallPiece = 512;

  static Result<StreamWriter> open(Stream stream);

  // How many bytes were taken; 0: none now, wait until handle() is writable.
  [[nodiscard]] Result<std::size_t> write_some(std::string_view bytes);
  [[nodiscard]] const Handle& handle() const { return handle_; }

 private:
  enum class Way : std::uint8_t { kWrite, kSend, kSmall };
  StreamWriter(Handle handle, Way way) : handle_(std::move(handle)), way_(way) {}

  Handle handle_;
  Way way_;
  std::shared_ptr<void> state_{};  // Windows: the helper thread's
};

}  // namespace holdfast::os
