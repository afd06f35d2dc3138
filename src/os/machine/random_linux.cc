// SPDX-License-Identifier: Apache-2.0
#include "os/machine/random.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {

Result<Id128> random_id() {
  Id128 id;
  // Up to 256 bytes come whole or not at all once the pool is seeded; a short answer is refused.
  const ssize_t got =
      retry_eintr([&] { return sys().getrandom(id.bytes.data(), id.bytes.size(), 0); });
  if (got < 0) return fail(last_os_error("get random bits from", "the kernel"));
  if (static_cast<std::size_t>(got) != id.bytes.size()) {
    return fail(os_error("get random bits from", "the kernel", EIO));
  }
  return id;
}

}  // namespace holdfast::os
