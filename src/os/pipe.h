// SPDX-License-Identifier: Apache-2.0
//
// A pipe; both ends are close-on-exec.
#pragma once

#include "base/result.h"
#include "os/handle.h"

namespace holdfast::os {

struct Pipe {
  Handle read_end;
  Handle write_end;
};

Result<Pipe> make_pipe();

}  // namespace holdfast::os
