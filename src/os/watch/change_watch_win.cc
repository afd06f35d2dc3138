// SPDX-License-Identifier: Apache-2.0
#include "os/watch/change_watch.h"

#include "os/sys/not_offered_win.h"

namespace holdfast::os {

Result<ChangeWatch> ChangeWatch::on(const Handle& /*file*/) {
  return fail(not_offered("watch", "a control file", "Windows has no control groups"));
}

}  // namespace holdfast::os
