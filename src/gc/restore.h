// SPDX-License-Identifier: Apache-2.0
//
// restore: a workspace comes back from the trash.
//
// Both locks are held: that of the entry's directory, against purges, and that of the workspace,
// against whoever changes its record. The directory outside comes first, then the record; neither
// replaces anything. Death in between leaves the record in the trash, and the next call goes on,
// also under another name: what is in the trash is known by its id. What comes back is ready and
// new: not ended, without a ttl, without anybody attached, born now. Its authority becomes its
// former one: it is kept until its harness ends it or names another, whatever the old daemon says.
//
// Errors: kBusy `name-taken`, `path-taken`, `being-purged`, `workspace-busy`; kRefused
// `partly-purged`, `not-confirmed`; kNotFound `directory-gone`; those of
// session/workspace/workspace.h and gc/outside_trash.h. What this call had done is undone then.
// Where only the last sync failed it is back, and `not_durable` says so.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "gc/purge.h"
#include "session/record/store.h"

namespace holdfast::gc {

struct Restored {
  std::string name{};
  std::string directory{};
  std::optional<Error> not_durable{};
};
// `as`: its name from now on.
Result<Restored> restore(const session::SessionStore& sessions, const TrashEntry& entry,
                         const std::string& as);

}  // namespace holdfast::gc
