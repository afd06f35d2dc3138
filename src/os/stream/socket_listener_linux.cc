// SPDX-License-Identifier: Apache-2.0
#include "os/stream/socket_listener.h"

#include "os/sys/handle.h"
#include "os/sys/native_linux.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {

Result<Pid> listener_of(const std::string& path) {
  constexpr const char* kOp = "see who listens at";
  const Handle socket(sys().connect_now(path.c_str()));
  if (!socket.valid()) return fail(last_os_error(kOp, path));
  ucred peer{};
  if (sys().socket_peer(fd_of(socket), &peer) != 0) return fail(last_os_error(kOp, path));
  return Pid{peer.pid};
}

}  // namespace holdfast::os
