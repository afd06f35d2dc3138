// SPDX-License-Identifier: Apache-2.0
//
// The identity of a process that has ended. Linux only.
#pragma once

#include "session/record/session_fixture.h"
#include "testing/processes.h"

namespace holdfast::session {

inline ProcessIdentity identity_of_the_dead() {
  testing::WaitingChild child;
  const ProcessIdentity identity = identity_of(child.pid());
  child.kill();
  child.reap();
  return identity;
}

}  // namespace holdfast::session
