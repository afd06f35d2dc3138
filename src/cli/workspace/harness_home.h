// SPDX-License-Identifier: Apache-2.0
//
// The home for the commands `session …`: the sessions in it, and its journal.
//
// What was done is not undone where it cannot be put on record; tell() warns of it then.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/event.h"
#include "base/result.h"
#include "cli/frame/context.h"
#include "cli/lock/deferred_events.h"
#include "format/session/harness_record.h"
#include "session/record/store.h"
#include "session/workspace/harness_new.h"

namespace holdfast::cli {

class HarnessHome {
 public:
  // Made where it is missing. The clock must outlive it.
  static Result<HarnessHome> open(const Context& context, const Clock& clock);
  // kNotFound `no-such-session` where there is no home, or no session in it. Makes nothing.
  static Result<HarnessHome> find(const Context& context, const Clock& clock,
                                  const std::string& name);

  [[nodiscard]] const session::SessionStore& sessions() const { return sessions_; }
  // The session that `typed` is the name of, else the one that it is the id of. kNotFound
  // `no-such-session`; kCannotTell where a record that cannot be read may be the one.
  [[nodiscard]] Result<HarnessRecord> record_of(const std::string& typed) const;
  void tell(Context& context, const Event& event);
  // For what must be on record before it is done.
  Result<> record(const Event& event);

 private:
  HarnessHome(session::SessionStore sessions, std::unique_ptr<DeferredEvents> events)
      : sessions_(std::move(sessions)), events_(std::move(events)) {}

  session::SessionStore sessions_;
  std::unique_ptr<DeferredEvents> events_;
};

// Where the answer of `session new` cannot be printed, nobody knows of the session: it is ended,
// and the next gc may have it. The error is that of printing.
Result<> check_heard(Context& context, const session::SessionStore& sessions,
                     const session::HarnessMade& made, const Clock& clock);

// kNotFound.
Error no_such_harness(const std::string& name);

// The record of NAME and its directory, for who only looks. kNotFound `no-such-session`.
struct HarnessFound {
  session::SessionStore sessions;
  HarnessRecord record;
};
Result<HarnessFound> find_harness(const Context& context, const std::string& name);

}  // namespace holdfast::cli
