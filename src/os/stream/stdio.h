// SPDX-License-Identifier: Apache-2.0
//
// The three standard streams, without buffering and without iostreams (whose start-up alone costs a
// short command a tenth of its time).
//
// Guarantee: write_stream writes everything or says why not; a closed stdout is an error, never
// silence. It waits for a slow reader as long as it takes, on a non-blocking stream too, and
// reading waits for a slow writer in the same way. With a budget (base/budget.h) neither waits
// beyond it: reading is kBusy, writing kIo, both with the cause `budget`; what was written before
// stays written. Call adopt_standard_streams() first thing in main: a program started with 0, 1 or
// 2 closed would give those numbers to the next files it opens, and print its messages into them.
//
// Limit: a terminal that stops in the middle of 4 KiB is waited for, and so is every stream on
// Windows, whatever the budget.
//
// Sequence: adopt_standard_streams(); … write_stream(Stream::kOut, text) …
// Signals: adopt_standard_streams also ignores SIGXFSZ, so that a file that would grow beyond a
// limit of the caller's is an `efbig` error, and SIGPIPE, so that a reader that went away (`|
// head`) is an `epipe` error here, not a death in the middle of an act; children get the default
// back at spawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast::os {

enum class Stream : std::uint8_t { kIn = 0, kOut = 1, kErr = 2 };

Result<> adopt_standard_streams();

Result<> write_stream(Stream stream, std::string_view text);

// All of stdin up to `max` bytes; more is kRefused with cause `too-large`.
Result<std::string> read_stdin(std::size_t max);

// What there is of stdin, at most the buffer's size; waits until there is something. 0: its end. A
// Windows console gives UTF-8 and takes a buffer of at least 4 bytes.
Result<std::size_t> read_stdin_some(std::span<char> buffer);

// What stands behind stdin. Who wrote into a file has finished or can be asked; who is at the other
// end of a pipe may have failed, and its reader is not told.
enum class StdinKind : std::uint8_t {
  kTerminal,
  kFile,  // a regular file
  kPipe,  // or a socket
  kNull,  // nothing: /dev/null, or the stand-in for a stdin that was closed
  kOther,
};
Result<StdinKind> stdin_kind();

bool is_terminal(Stream stream);

// The width of the terminal behind `stream`; nothing where there is none or it does not say.
std::optional<int> terminal_columns(Stream stream);

}  // namespace holdfast::os
