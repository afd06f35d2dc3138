// SPDX-License-Identifier: Apache-2.0
//
// What the tests of kills share: a sink that remembers, and who lives.
#pragma once

#include <string>
#include <vector>

#include "base/event.h"
#include "os/process/pidfd.h"
#include "proc/identity/identity.h"
#include "proc/identity/process_fixture.h"

namespace holdfast::proc {

class RememberingSink final : public EventSink {
 public:
  Result<EventReceipt> record(const Event& event) override {
    if (refuses) return fail({.code = ErrorCode::kCannotTell, .op = "record", .cause = "no-room"});
    types.emplace_back(event.type);
    data.push_back(event.data.json());
    return EventReceipt{};
  }
  bool refuses = false;
  std::vector<std::string> types;
  std::vector<std::string> data;
};

inline bool lives(os::Pid pid) {
  const auto pin = os::open_pidfd(pid);
  return pin && *pin && !os::has_ended(**pin).value();
}

inline Identity identity_of_living(os::Pid pid) { return identity_of(pid).value().value(); }

// The identity of a process that had this number before.
inline Identity predecessor_of(os::Pid pid) {
  Identity identity = identity_of_living(pid);
  identity.start -= 1;
  if (identity.pidfs != 0) identity.pidfs -= 1;
  return identity;
}

}  // namespace holdfast::proc
