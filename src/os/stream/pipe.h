// SPDX-License-Identifier: Apache-2.0
//
// Pipes: a new one, reading and writing one, taking over another process's reading end, and pipes with
// a name (FIFOs). Both ends of a new one are close-on-exec.
//
// read_pipe waits until there is something, and takes what is there: at most the buffer's size. 0
// is the end: nobody holds a writing end any more, and all that was written has been read.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/dir/dir.h"
#include "os/process/pid.h"
#include "os/sys/handle.h"

namespace holdfast::os {

struct Pipe {
  Handle read_end;
  Handle write_end;
};

Result<Pipe> make_pipe();

// A writing end that is a reading end too: whoever writes to it is never told that nobody reads,
// and waits instead once the pipe is full, until somebody does. The given one where the system
// cannot.
Handle unbreakable_end(Handle write_end);

// One write: how many bytes were taken.
Result<std::size_t> write_some(const Handle& write_end, std::string_view bytes);

Result<std::size_t> read_pipe(const Handle& read_end, std::span<char> buffer);

// All up to the end; what is more than `max` bytes is left unread.
inline Result<std::string> read_pipe_to_end(const Handle& read_end, std::size_t max) {
  std::string bytes;
  std::array<char, 4096> buffer{};
  while (bytes.size() < max) {
    const std::size_t room = std::min(buffer.size(), max - bytes.size());
    const std::size_t got = HF_TRY(read_pipe(read_end, std::span(buffer).first(room)));
    if (got == 0) break;
    bytes.append(buffer.data(), got);
  }
  return bytes;
}

// The reading end of a pipe that another process has as one of its descriptors, for
// who takes over from the one who had it.
//
// Only of a descriptor that is a pipe and was opened to read and to write at once, which is what
// unbreakable_end makes and hardly anybody else: reading from a pipe that the process has opened for
// a purpose of its own would take away what is meant for another.
//
// nullopt: the descriptor is something else, or not there. `pidfd` pins the process whose number it
// is; it had not ended afterwards. Errors: kOsRefused where the kernel does not permit it.
// Platform: Linux only.
Result<std::optional<Handle>> reopen_pipe(Pid pid, const Handle& pidfd, int descriptor);

// What a command printed as lines, with each line ended by a newline alone. Programs of Windows,
// cmd first of all, end a line in CR LF: there a CR right before a newline is no part of the line.
// On Linux a CR is a byte like any other, and nothing is changed.
std::string with_plain_line_ends(std::string printed);

// A FIFO with a name: anybody with the right to may put a few bytes into it, whoever reads it finds
// them. Opening and writing never wait.
//
// make_fifo puts a new one (0600) at `name` and opens it to read and to write, so that it never
// comes to an end while it is open. An old FIFO of the caller's own is removed first; anything else
// that has the name stays, kRefused `not-a-fifo` or `foreign-owner`.
//
// put_into writes whole or not at all: at most kMostAtOnce bytes, which the kernel keeps together.
//
// Limits: the bytes are the kernel's; they are gone when the last who has it open closes it. That
// one can write proves only that somebody has it open to read. Errors: kRefused as above, and
// `is-link`; kBusy `eagain` of put_into where it is full. On Windows the name is that of a
// small file which names a pipe of the system (pipe_win.cc).
inline constexpr std::size_t kMostAtOnce = 4096;  // PIPE_BUF

Result<Handle> make_fifo(const Dir& dir, const SafeName& name);

// What is there, at most the buffer's size; 0 where there is nothing now.
Result<std::size_t> take_from(const Handle& fifo, std::span<char> buffer);

enum class Put : std::uint8_t { kPut, kNobodyReads };
// kNobodyReads: it is not there, or nobody has it open to read.
Result<Put> put_into(const Dir& dir, const SafeName& name, std::string_view bytes);

}  // namespace holdfast::os
