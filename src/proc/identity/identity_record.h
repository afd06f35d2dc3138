// SPDX-License-Identifier: Apache-2.0
//
// Between the identity that is judged here and the one that records keep.
#pragma once

#include "format/session/process_identity.h"
#include "proc/identity/identity.h"

namespace holdfast::proc {

inline ProcessIdentity to_record(const Identity& identity) {
  return {.boot = identity.boot,
          .machine = identity.machine,
          .pidns = identity.pidns,
          .timens = identity.timens,
          .pid = os::number(identity.pid),
          .start = identity.start,
          .pidfs = identity.pidfs,
          .uid = identity.uid};
}

inline Identity from_record(const ProcessIdentity& identity) {
  return {.boot = identity.boot,
          .machine = identity.machine,
          .pidns = identity.pidns,
          .timens = identity.timens,
          .pid = os::Pid{identity.pid},
          .start = identity.start,
          .pidfs = identity.pidfs,
          .uid = identity.uid};
}

}  // namespace holdfast::proc
