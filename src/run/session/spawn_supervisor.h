// SPDX-License-Identifier: Apache-2.0
//
// A run whose supervisor cannot be made out of this process: on Windows, where there is no fork, a
// detached one. There it is another start of this program (supervise/hosted_program.h), which comes
// to the same place by itself, with the same home; what is to be run is told to it.
//
// Who else has a say in it (RunGuard) is told to it as a note, of which it makes the guard again.
// Not there: a detached run whose guard has no note: kRefused `unsupported`.
#pragma once

#include <optional>

#include "base/result.h"
#include "run/session/order.h"
#include "run/session/start.h"

namespace holdfast::run {

// nullopt: it is for start_run itself. In the process that was started for it, it does not return.
Result<std::optional<Started>> spawn_supervisor(const Services& services, const RunOrder& order);

}  // namespace holdfast::run
