// SPDX-License-Identifier: Apache-2.0
//
// The names inside a session's directory (store.h says what they are), and those in sessions/ that
// are no session's.
#pragma once

#include "os/path/safe_name.h"

namespace holdfast::session {

constexpr os::NameLiteral record_name() { return os::NameLiteral("session.json"); }
constexpr os::NameLiteral log_name() { return os::NameLiteral("out.log"); }
constexpr os::NameLiteral old_log_name() { return os::NameLiteral("out.log.1"); }
constexpr os::NameLiteral control_name() { return os::NameLiteral("control"); }
constexpr os::NameLiteral spare_name() { return os::NameLiteral("session.spare"); }
constexpr os::NameLiteral series_name() { return os::NameLiteral("series.json"); }
constexpr os::NameLiteral harness_name() { return os::NameLiteral("harness.json"); }
constexpr os::NameLiteral harness_lock_name() { return os::NameLiteral("harness.lock"); }
// Beside the sessions, on Windows (harness_lock.h).
constexpr os::NameLiteral harness_holds_name() { return os::NameLiteral(".holdfast-holds"); }
constexpr os::NameLiteral runs_name() { return os::NameLiteral("runs"); }

// Beside what is removed, also outside of the home (src/gc/trash.h).
constexpr os::NameLiteral trash_dir_name() { return os::NameLiteral(".holdfast-trash"); }
// Which directories outside belong to sessions (session/workspace/outside.h).
constexpr os::NameLiteral outside_list_name() { return os::NameLiteral(".holdfast-outside"); }

}  // namespace holdfast::session
