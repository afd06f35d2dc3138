// SPDX-License-Identifier: Apache-2.0
//
// os::open_pidfd with its failures sorted: nobody has the number; this kernel gives no pidfds, so
// that one has to do without; or a failure that may pass (`emfile`, `enfile`, `enomem`), for which
// nobody should do with less than they could have.
#pragma once

#include "base/result.h"
#include "os/process/pid.h"
#include "os/sys/handle.h"

namespace holdfast::proc {

struct PinnedNumber {
  os::Handle pidfd;     // empty: nobody, or no pidfd to be had
  bool nobody = false;  // the kernel's ESRCH
};

Result<PinnedNumber> pin_number(os::Pid pid);

// Of a failed look into /proc: the rights are missing. The process may well be there.
bool says_hidden(const Error& error);

}  // namespace holdfast::proc
