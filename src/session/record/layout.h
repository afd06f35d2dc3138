// SPDX-License-Identifier: Apache-2.0
//
// The names inside a session's directory (store.h says what they are), and those in sessions/ that
// are no session's.
#pragma once

#include <string>
#include <string_view>

#include "base/id128.h"
#include "base/result.h"
#include "format/text/name_escape.h"
#include "os/path/safe_name.h"

namespace holdfast::session {

constexpr os::NameLiteral record_name() { return os::NameLiteral("session.json"); }
// What could not be read and was put aside by a person's word: `session.damaged-<hex id>`.
inline constexpr std::string_view kDamagedRecord = "session.damaged-";
constexpr os::NameLiteral log_name() { return os::NameLiteral("out.log"); }
constexpr os::NameLiteral old_log_name() { return os::NameLiteral("out.log.1"); }
// Of the log of the same age: who printed what, and when (format/session/log_index.h).
constexpr os::NameLiteral index_name() { return os::NameLiteral("out.index"); }
constexpr os::NameLiteral old_index_name() { return os::NameLiteral("out.index.1"); }
constexpr os::NameLiteral control_name() { return os::NameLiteral("control"); }
constexpr os::NameLiteral spare_name() { return os::NameLiteral("session.spare"); }
constexpr os::NameLiteral series_name() { return os::NameLiteral("series.json"); }
constexpr os::NameLiteral workspace_record_name() { return os::NameLiteral("harness.json"); }
constexpr os::NameLiteral workspace_lock_name() { return os::NameLiteral("harness.lock"); }
// Locked by who works below the session (session/workspace/below.h).
constexpr os::NameLiteral workspace_below_name() { return os::NameLiteral("harness.below"); }
// Beside the sessions, on Windows (workspace.h).
constexpr os::NameLiteral workspace_holds_name() { return os::NameLiteral(".holdfast-holds"); }
constexpr os::NameLiteral runs_name() { return os::NameLiteral("runs"); }

// Beside what is removed, also outside of the home (src/gc/trash.h).
constexpr os::NameLiteral trash_dir_name() { return os::NameLiteral(".holdfast-trash"); }
// Which directories outside belong to sessions (session/workspace/outside.h).
constexpr os::NameLiteral outside_list_name() { return os::NameLiteral(".holdfast-outside"); }

// The name of a session's directory in sessions/ (kUsage for what is no name of a session), and the
// name that anything of a session has in a trash, which follows from its old name and its id.
inline Result<os::SafeName> file_name_of(std::string_view name) {
  return os::SafeName::make(HF_TRY(escape_name(name, platform_name_rules())));
}

inline Result<os::SafeName> trash_name(std::string_view file_name, const Id128& id) {
  constexpr std::size_t kLongestBase = 200;
  return os::SafeName::make(std::string(file_name.substr(0, kLongestBase)) + "." + to_hex(id));
}

}  // namespace holdfast::session
