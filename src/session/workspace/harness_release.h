// SPDX-License-Identifier: Apache-2.0
//
// What a person says of a session that no proof says: "this was never mine to keep" (forget) and
// "its engine will never answer again" (end_assumed_gone).
//
// Guarantees: nothing of the session's own is removed or moved. Both happen under the session's
// lock, on the very record that was looked at before (kBusy `changed` otherwise), and only after
// `announce` has put them on record; where it fails, nothing is done. Neither is done while
// somebody is attached who is not proven dead.
//
// Errors: kBusy `attached`, `changed`, `runs`; kRefused `not-ready`, `in-the-home`,
// `not-confirmed`; kCannotTell `run-unknown`; kNotFound `no-such-session`; those of
// session/workspace/harness.h and of `announce`.
#pragma once

#include <functional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "format/session/harness_record.h"
#include "session/record/store.h"

namespace holdfast::session {

using Announce = std::function<Result<>(const HarnessRecord& record)>;

// The record of a session whose directory lies outside of the home goes, with its name and its
// entry in the list of session/workspace/outside.h; the directory stays as it is. Of one in the home the
// directory is the record's own: kRefused `in-the-home`. What runs have left beside the record
// stays, too. Death on the way leaves the session, or an entry or a stage that gc clears away.
Result<> forget(const SessionStore& store, const HarnessRecord& judged, const Announce& announce);

// It has ended, and nobody is to be asked about it any more: its authority becomes a former one.
// The record as it is then.
Result<HarnessRecord> end_assumed_gone(const SessionStore& store, const HarnessRecord& judged,
                                       std::string reason, const Clock& clock,
                                       const Announce& announce);

}  // namespace holdfast::session
