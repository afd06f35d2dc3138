// SPDX-License-Identifier: Apache-2.0
//
// Locks for programs: what every surface says of one in JSON.
#pragma once

#include "format/json/json.h"
#include "lock/grant/backend.h"
#include "lock/ledger/status.h"
#include "runtime/runtime.h"

namespace holdfast::run {

// `pid host since reason command foreign evidence`
Json holder_json(const lock::HolderView& holder);

// `name state mode holder holders owner fence ttl_ms left_ms binding yields break_id waiters
// evidence …`
Json status_json(const lock::LockStatus& status);
// Fills in which waiters are supervisors of sessions.
void name_waiting_sessions(lock::LockStatus& status, runtime::Runtime& runtime);

}  // namespace holdfast::run
