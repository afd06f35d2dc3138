// SPDX-License-Identifier: Apache-2.0
#include "run/orphan/adopt.h"
#include "run/session/guard.h"
#include "run/session/spawn_supervisor.h"

namespace holdfast::run {

bool guards_are_in_a_copy() { return true; }
bool adoption_is_offered() { return true; }

// The supervisor is a fork.
Result<std::optional<Started>> spawn_supervisor(const Services& /*services*/,
                                                const RunOrder& /*order*/) {
  return std::optional<Started>();
}

}  // namespace holdfast::run
