// SPDX-License-Identifier: Apache-2.0
//
// A pipe; both ends are close-on-exec.
//
// read_pipe waits until there is something, and takes what is there: at most the buffer's size. 0
// is the end: nobody holds a writing end any more, and all that was written has been read.
#pragma once

#include <cstddef>
#include <span>

#include "base/result.h"
#include "os/handle.h"

namespace holdfast::os {

struct Pipe {
  Handle read_end;
  Handle write_end;
};

Result<Pipe> make_pipe();

Result<std::size_t> read_pipe(const Handle& read_end, std::span<char> buffer);

}  // namespace holdfast::os
