// SPDX-License-Identifier: Apache-2.0
//
// `kill NAME`: the command of a session, whose record is believed as far as `stop` believes it
// (run/orphan/orphan_proof.h). A record that is refuted is answered as a mismatch, and journaled.
#pragma once

#include <string>

#include "base/result.h"
#include "cli/frame/context.h"
#include "proc/kill/kill.h"

namespace holdfast::cli {

Result<int> kill_session(Context& context, const std::string& name, proc::KillOrder order);

}  // namespace holdfast::cli
