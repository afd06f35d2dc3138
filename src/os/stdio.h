// SPDX-License-Identifier: Apache-2.0
//
// The three standard streams, without buffering and without iostreams (whose start-up alone costs a
// short command a tenth of its time).
//
// Guarantee: write_stream writes everything or says why not; a closed stdout is an error, never
// silence. It waits for a slow reader as long as it takes, on a non-blocking stream too. Call
// adopt_standard_streams() first thing in main: a program started with 0, 1 or 2 closed would give
// those numbers to the next files it opens, and print its messages into them.
//
// Sequence: adopt_standard_streams(); … write_stream(Stream::kOut, text) …
// Signals: adopt_standard_streams also ignores SIGPIPE, so that a reader that went away (`| head`)
// is an `epipe` error here, not a death in the middle of an act; children get the default back at
// spawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast::os {

enum class Stream : std::uint8_t { kIn = 0, kOut = 1, kErr = 2 };

Result<> adopt_standard_streams();

Result<> write_stream(Stream stream, std::string_view text);

// All of stdin up to `max` bytes; more is kRefused with cause `too-large`.
Result<std::string> read_stdin(std::size_t max);

bool is_terminal(Stream stream);

// The width of the terminal behind `stream`; nothing where there is none or it does not say.
std::optional<int> terminal_columns(Stream stream);

}  // namespace holdfast::os
