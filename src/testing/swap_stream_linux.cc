// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "testing/swap_stream.h"

namespace holdfast::testing {

void ignore_broken_pipes() { static_cast<void>(::signal(SIGPIPE, SIG_IGN)); }

SwappedStderr::SwappedStderr(const os::Handle& instead)
    : before_(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)) {
  ignore_broken_pipes();
  ::dup2(static_cast<int>(instead.get()), STDERR_FILENO);
}

SwappedStderr::~SwappedStderr() {
  ::dup2(static_cast<int>(before_), STDERR_FILENO);
  ::close(static_cast<int>(before_));
}

}  // namespace holdfast::testing
