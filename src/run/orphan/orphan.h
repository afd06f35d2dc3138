// SPDX-License-Identifier: Apache-2.0
//
// Orphan: a session whose supervisor is gone, owned by this process: it has the lock of the name,
// and so the right to change the record.
//
//   Orphan orphan = HF_TRY(own_orphan(services, std::move(dir), "stop"));
//   if (orphan.view.state != SessionState::kOrphaned) …   // what is true now, under the lock
//
// Guarantee: of several that want it at once, exactly one gets it. Nobody is deprived of the lock
// but a supervisor that is proven dead; orphan.cc has the argument. Who first finds the orphan
// writes that into the record, and `session.orphaned` into the journal.
//
// Errors: kBusy `session-live`: somebody has the name, who is said; kNotFound `no-such-session`;
// kCannotTell: whether its holder lives cannot be told; of the journal, which must take the
// decision to break the lock of the dead; of session/record/store.h.
#pragma once

#include <memory>
#include <string_view>

#include "base/clock.h"
#include "base/event.h"
#include "base/result.h"
#include "lock/grant/local_lock.h"
#include "os/file/staged_file.h"
#include "session/record/store.h"
#include "session/record/transition.h"
#include "session/record/view.h"

namespace holdfast::run {

struct OrphanServices {
  const Clock& clock;
  EventSink& events;
  lock::LocalBackend& locks;
};

struct Orphan {
  session::SessionDir dir;
  std::unique_ptr<lock::Lock> name;
  session::SessionView view;
  // The ledger of the name says as well that the name was held for this command.
  bool command_is_known = false;

  [[nodiscard]] SessionRecord& record() { return view.record; }
  [[nodiscard]] const SessionRecord& record() const { return view.record; }
};

// `why` stands in the lock and, where it had to be broken, in the journal.
Result<Orphan> own_orphan(const OrphanServices& services, session::SessionDir dir,
                          std::string_view why);

// The end of owning it. kOver: the record is final, and the name is free. kStillThere: the name
// stays bound to the command, as its supervisor had left it.
enum class Leave : std::uint8_t { kOver, kStillThere };
void leave_orphan(Orphan& orphan, Leave how);

// `event` must lead somewhere from the state of the record, which is then written.
Result<> enter_state(const Orphan& orphan, SessionRecord& record, session::Event event,
                     os::Durability durability);

}  // namespace holdfast::run
