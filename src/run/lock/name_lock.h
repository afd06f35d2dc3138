// SPDX-License-Identifier: Apache-2.0
//
// The lock of a session's name. Whoever holds it is the one who may change the session's record.
//
// It is a named lock of the same home, `session:NAME`, so `holdfast locks` shows it like any other.
// Its work is the command once there is one: should the supervisor be killed, nobody else gets the
// name before the command itself has ended.
//
// Errors: kBusy, cause `session-live`, naming who has it, or `interrupted`; of lock/grant/backend.h.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "lock/grant/backend.h"
#include "session/record/store.h"

namespace holdfast::run {

struct NameRequest {
  std::string name{};
  std::string command{};  // shown to others
  Duration wait{};        // for a run that has it, and for those that come before us
  const os::Flag* cancel = nullptr;
};
Result<std::unique_ptr<lock::Lock>> take_name(lock::LockBackend& locks,
                                              const session::SessionStore& sessions,
                                              const NameRequest& request);

std::string name_lock_of(const std::string& session);

}  // namespace holdfast::run
