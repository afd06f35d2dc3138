// SPDX-License-Identifier: Apache-2.0
//
// A pipe; both ends are close-on-exec.
//
// read_pipe waits until there is something, and takes what is there: at most the buffer's size. 0
// is the end: nobody holds a writing end any more, and all that was written has been read.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
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
Result<std::string> read_pipe_to_end(const Handle& read_end, std::size_t max);

}  // namespace holdfast::os
