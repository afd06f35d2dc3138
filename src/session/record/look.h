// SPDX-License-Identifier: Apache-2.0
//
// look: what is true of the session in a directory now: read(), look_at(), and both once more where
// the record may have been overtaken.
//
// A supervisor writes its last record and ends. Between our reading and our judging that makes an
// "orphan" of a session that ended well; a second reading, after its death was proven, shows its
// last word. One is enough: a dead supervisor writes nothing more, and an adopter is another one.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "session/record/store.h"
#include "session/record/view.h"

namespace holdfast::session {

// nullopt: there is no record.
Result<std::optional<SessionView>> look(const SessionDir& dir);

// kNotFound.
Error no_such_session(const std::string& name);

// "running", or "running?" where it cannot be told.
std::string state_word(const SessionView& view);
// That a part of the output could not be kept (a full disk); empty if all of it was.
std::string lost_log_text(const SessionRecord& record);

}  // namespace holdfast::session
