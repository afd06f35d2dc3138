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

#include "base/result.h"
#include "session/record/store.h"
#include "session/record/view.h"

namespace holdfast::session {

// nullopt: there is no record.
Result<std::optional<SessionView>> look(const SessionDir& dir);

}  // namespace holdfast::session
