// SPDX-License-Identifier: Apache-2.0
//
// A workspace's directory outside of the home: in its place, and in the trash beside it as
// PARENT/.holdfast-trash/<base>.<hex id>.
//
// Guarantees: it goes by the list of session/workspace/outside.h and never by a record, which an agent may
// have written. What is moved is the directory of the entry, before the move and after it; what was
// put in its place in between goes back. A parent that is not there, or is on another device (a
// disk that is not mounted), is an error, and never "it is gone".
//
// Errors: kNotFound `parent-gone`; kRefused `not-confirmed`, `replaced`, `trash-unsafe`,
// `trash-name-taken`; kBusy `path-taken`; kNotFound `directory-gone`; the system's word. Nothing of
// the step has happened then.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "format/session/workspace_record.h"
#include "os/dir/dir.h"
#include "session/workspace/outside.h"

namespace holdfast::gc {

struct Outside {
  session::OutsideEntry entry;
  os::Dir parent;
  os::SafeName base;
  os::SafeName in_trash;
};
Result<Outside> open_outside(session::OutsideEntry entry);

enum class Lies : std::uint8_t {
  kInPlace,
  kAtStage,   // it was never published: `workspace new` died
  kInTrash,   // whatever has its place now
  kReplaced,  // another has its place, and it is nowhere else
  kNowhere,
};
Result<Lies> where_is(const Outside& outside);

// True: this call has moved it. False: it is there already or nowhere, or (kReserved) what has its
// place was never its own. Durable when it returns.
Result<bool> outside_to_trash(const Outside& outside, WorkspaceState state);
// True: this call has moved it. False: it is in its place already.
Result<bool> outside_back(const Outside& outside);

// The same of a record, whose directory must be in the list; false also of one inside of the home.
Result<bool> move_outside_to_trash(const session::SessionStore& sessions,
                                   const WorkspaceRecord& record);
Result<bool> move_outside_back(const session::SessionStore& sessions,
                               const WorkspaceRecord& record);

Error not_confirmed(const std::string& directory);

}  // namespace holdfast::gc
