// SPDX-License-Identifier: Apache-2.0
//
// --rescue CMD: a command of the user's that saves what is worth saving of a workspace before it
// goes. It is run by `/bin/sh -c` in the workspace's directory, with HOLDFAST_WORKSPACE and
// HOLDFAST_WORKSPACE_DIR; HOLDFAST_SESSION and HOLDFAST_SESSION_DIR say the same. What it prints
// goes to stderr. Only its 0, in time, lets the workspace go.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "format/session/workspace_record.h"
#include "os/sys/handle.h"

namespace holdfast::gc {

struct Rescue {
  bool done = false;
  bool interrupted = false;
  std::string failure{};  // for people: "`/bin/sh` exited with 3"
};
// `locks` (those of the workspace) are inherited: if the clean-up and its supervisor are killed,
// the workspace stays busy for the next one until the last process of the rescue has ended.
Rescue rescue(const Clock& clock, const std::string& command, Duration timeout,
              const std::string& session, const std::string& directory,
              std::vector<os::NativeHandle> locks);

}  // namespace holdfast::gc
