// SPDX-License-Identifier: Apache-2.0
//
// close_damaged: a session whose record cannot be read, closed by a person's word.
//
// Nothing of the record is believed, and nothing of it is lost: it is kept beside its place
// (session/record/store.h), and the name can be used again. Whoever had the run on record as an
// intent finds it lost (Trace::record_lost), never "not started".
//
// Refused (kRefused `seen-alive`) as long as a process has the session's name and directory in its
// environment. Errors: kBusy `session-live`: somebody has the name, or his work lives; kBusy
// `record-changed`: it can be read by now; of the journal, which has the decision first.
//
// Limit: a process that was started with another environment is not seen.
#pragma once

#include <string>

#include "run/orphan/orphan.h"
#include "run/orphan/stop.h"
#include "session/record/store.h"

namespace holdfast::run {

StopReport close_damaged(const OrphanServices& services, const session::SessionStore& sessions,
                         const std::string& name, const std::string& reason);

}  // namespace holdfast::run
