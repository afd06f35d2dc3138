// SPDX-License-Identifier: Apache-2.0
//
// The names inside a session's directory (store.h says what they are).
#pragma once

#include "os/safe_name.h"

namespace holdfast::session {

constexpr os::NameLiteral record_name() { return os::NameLiteral("session.json"); }
constexpr os::NameLiteral log_name() { return os::NameLiteral("out.log"); }
constexpr os::NameLiteral old_log_name() { return os::NameLiteral("out.log.1"); }
constexpr os::NameLiteral control_name() { return os::NameLiteral("control"); }
constexpr os::NameLiteral spare_name() { return os::NameLiteral("session.spare"); }
constexpr os::NameLiteral harness_name() { return os::NameLiteral("harness.json"); }
constexpr os::NameLiteral harness_lock_name() { return os::NameLiteral("harness.lock"); }
constexpr os::NameLiteral runs_name() { return os::NameLiteral("runs"); }

}  // namespace holdfast::session
