// SPDX-License-Identifier: Apache-2.0
#include "os/watch/file_watch.h"

#include <sys/inotify.h>

#include <string>

#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {

// A file that we have open is not deleted when its name goes, so there is no IN_DELETE_SELF then:
// that its links became fewer is a change of an attribute.
Result<Handle> watch_file(const File& file) {
  constexpr std::uint32_t kEvents = IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF;
  Handle watch(sys().inotify_init(IN_NONBLOCK | IN_CLOEXEC));
  if (!watch.valid()) return fail(last_os_error("watch", file.path()));
  const std::string by_handle = "/proc/self/fd/" + std::to_string(file.native());
  if (sys().inotify_add_watch(static_cast<int>(watch.get()), by_handle.c_str(), kEvents) < 0)
    return fail(last_os_error("watch", file.path()));
  return watch;
}

}  // namespace holdfast::os
