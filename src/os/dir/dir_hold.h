// SPDX-License-Identifier: Apache-2.0
//
// hold_dir: a DirLock (os/lock/dir_lock.h) for a directory that its holder is about to rename or remove.
// move_open, remove_open: that rename and that removal.
//
// Windows renames and removes no directory that is open, or in which anything is open, not even for
// who has it open. So there the lock lies beside the directory: a byte of the file `kind` in
// `beside`, at the place that the directory's own number says; it goes with the directory wherever
// that is moved, as long as everybody names the same `beside`. And a directory that is open here is
// closed for the move and opened again at its new place. In that moment somebody may put another in
// its place: it is the same directory afterwards, or the answer is an error (`replaced`), and what
// was moved went back.
//
// Linux: the lock is a DirLock on the directory, of whatever `kind`; the directory stays open
// across the move.
//
// Limits, Windows: two directories whose numbers differ only in the two highest bits share a lock,
// which costs a needless wait. Errors: those of dir.h and dir_names.h.
#pragma once

#include <memory>

#include "base/clock.h"
#include "base/result.h"
#include "os/dir/dir.h"

namespace holdfast::os {

// Held as long as a copy of it is there.
using Hold = std::shared_ptr<const void>;

// Null: another had it for all of `limit` (a limit of 0 tries once).
[[nodiscard]] Result<Hold> hold_dir(const Dir& beside, const Dir& dir, const SafeName& kind,
                                    Duration limit);

// As move_new, for a directory that is open as `moved`. On Windows path() of it is the new one
// then.
[[nodiscard]] Result<Placed> move_open(const Dir& from, const SafeName& name, const Dir& to,
                                       const SafeName& new_name, Dir& moved);

// As remove_dir, for a directory that is open as `open`; it cannot be used any more.
[[nodiscard]] Result<Removed> remove_open(const Dir& parent, const SafeName& name, Dir& open);

// Before remove_tree of a directory that is open as `open`: it cannot be used any more.
void close_for_removal(Dir& open);

}  // namespace holdfast::os
