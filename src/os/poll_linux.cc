// SPDX-License-Identifier: Apache-2.0
#include "os/poll.h"

#include <array>

#include "os/native_linux.h"
#include "os/os_error.h"
#include "os/sys_linux.h"

namespace holdfast::os {

Result<bool> wait_readable(std::initializer_list<const Handle*> handles,
                           std::optional<std::chrono::milliseconds> limit) {
  std::array<pollfd, 8> items;
  nfds_t count = 0;
  for (const Handle* handle : handles) {
    if (handle == nullptr || !handle->valid() || count == items.size()) continue;
    items[count++] = {.fd = fd_of(*handle), .events = POLLIN, .revents = 0};
  }
  const int timeout = limit ? static_cast<int>(limit->count()) : -1;
  const int ready = retry_eintr([&] { return sys().poll(items.data(), count, timeout); });
  if (ready < 0) return fail(last_os_error("wait for", "events"));
  return ready > 0;
}

Result<bool> is_readable(const Handle& handle) {
  return wait_readable({&handle}, std::chrono::milliseconds(0));
}

}  // namespace holdfast::os
