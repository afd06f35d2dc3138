// SPDX-License-Identifier: Apache-2.0
//
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
// small file which names a pipe of the system (fifo_win.cc).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"
#include "os/dir/dir.h"
#include "os/sys/handle.h"

namespace holdfast::os {

inline constexpr std::size_t kMostAtOnce = 4096;  // PIPE_BUF

Result<Handle> make_fifo(const Dir& dir, const SafeName& name);

// What is there, at most the buffer's size; 0 where there is nothing now.
Result<std::size_t> take_from(const Handle& fifo, std::span<char> buffer);

enum class Put : std::uint8_t { kPut, kNobodyReads };
// kNobodyReads: it is not there, or nobody has it open to read.
Result<Put> put_into(const Dir& dir, const SafeName& name, std::string_view bytes);

}  // namespace holdfast::os
