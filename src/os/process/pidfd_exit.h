// SPDX-License-Identifier: Apache-2.0
//
// How a process that is not one's own child ended, asked of its pidfd.
//
// The kernel keeps that for the holders of a pidfd that was open when the process was reaped
// (PIDFD_GET_INFO, Linux 6.15 and later). Three answers: how it ended; kNotYet: it has not been
// reaped (a zombie whose parent does not look); kCannotTell: this kernel does not say.
//
// Windows: every handle tells (os/spawn/child.h has how a code is read).
#pragma once

#include <cstdint>
#include <optional>

#include "os/spawn/child.h"
#include "os/sys/handle.h"

namespace holdfast::os {

struct PidfdExit {
  enum class State : std::uint8_t { kEnded, kNotYet, kCannotTell };
  State state = State::kCannotTell;
  std::optional<ChildEnd> end{};  // of kEnded; its `pid` is 0
};

PidfdExit pidfd_exit(const Handle& pidfd);

}  // namespace holdfast::os
