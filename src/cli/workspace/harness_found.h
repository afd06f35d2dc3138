// SPDX-License-Identifier: Apache-2.0
//
// What the commands `session …` share: finding the session of a harness, and putting on record what
// was done to it.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/event.h"
#include "base/result.h"
#include "cli/frame/context.h"
#include "format/session/harness_record.h"
#include "session/record/store.h"
#include "session/workspace/harness_new.h"

namespace holdfast::cli {

// kNotFound `no-such-session` where there is no home, or no session in it. Makes nothing.
Result<const session::SessionStore*> sessions_with(const Context& context, const std::string& name);

// The session that `typed` is the name of, else the one that it is the id of. kNotFound
// `no-such-session`; kCannotTell where a record that cannot be read may be the one.
Result<HarnessRecord> record_of(const session::SessionStore& sessions, const std::string& typed);

// Of what was done, and is not undone where this cannot be put on record: then it warns.
void tell_or_warn(Context& context, const Event& event);
// Of what must be on record before it is done.
Result<> put_on_record(Context& context, const Event& event);

// Where the answer of `session new` cannot be printed, nobody knows of the session: it is ended,
// and the next gc may have it. The error is that of printing.
Result<> check_heard(Context& context, const session::SessionStore& sessions,
                     const session::HarnessMade& made, const Clock& clock);

// The record of NAME and its directory, for who only looks. kNotFound `no-such-session`.
struct HarnessFound {
  const session::SessionStore* sessions;
  HarnessRecord record;
};
Result<HarnessFound> find_harness(const Context& context, const std::string& name);

}  // namespace holdfast::cli
