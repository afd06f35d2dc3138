// SPDX-License-Identifier: Apache-2.0
#include "proc/identity/pin_number.h"

#include <string>

#include "base/cause.h"
#include "os/process/pidfd.h"

namespace holdfast::proc {

Result<PinnedNumber> pin_number(os::Pid pid) {
  if (os::number(pid) <= 0) return PinnedNumber{.pidfd = {}, .nobody = true};
  auto opened = os::open_pidfd(pid);
  if (opened) {
    const bool nobody = !opened->has_value();
    return PinnedNumber{.pidfd = nobody ? os::Handle() : std::move(**opened), .nobody = nobody};
  }
  const std::string& cause = opened.error().cause;
  if (cause == cause::kEmfile || cause == cause::kEnfile || cause == cause::kEnomem) {
    return fail(std::move(opened).error());
  }
  // An old kernel, a filter; or the number of a thread that is no process (EINVAL, ENOENT), which
  // whoever looks into /proc next will see.
  return PinnedNumber{};
}

bool says_hidden(const Error& error) {
  return error.cause == cause::kEacces || error.cause == cause::kEperm;
}

}  // namespace holdfast::proc
