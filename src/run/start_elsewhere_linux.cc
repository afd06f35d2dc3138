// SPDX-License-Identifier: Apache-2.0
#include "run/adopt.h"
#include "run/guard.h"
#include "run/start_elsewhere.h"

namespace holdfast::run {

bool guards_are_in_a_copy() { return true; }
bool adoption_is_offered() { return true; }

// The supervisor is a fork.
Result<std::optional<Started>> start_elsewhere(const Services& /*services*/,
                                               const RunOrder& /*order*/) {
  return std::optional<Started>();
}

}  // namespace holdfast::run
