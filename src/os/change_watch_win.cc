// SPDX-License-Identifier: Apache-2.0
#include "os/change_watch.h"

#include "os/not_offered_win.h"

namespace holdfast::os {

Result<ChangeWatch> ChangeWatch::on(const Handle& /*file*/) {
  return fail(not_offered("watch", "a control file", "Windows has no control groups"));
}

}  // namespace holdfast::os
