// SPDX-License-Identifier: Apache-2.0
//
// Names that change between directories: moved, linked, and the directory that its holder moves.
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "os/dir/dir.h"

namespace holdfast::os {

// A name goes from one directory to another of the same file system, in one step that
// never replaces. What has the name in `to` stays (kNameTaken). Links are moved, not followed.
//
// Errors: kNotFound where there is nothing to move; `exdev` between file systems; a file system or
// kernel that cannot promise not to replace answers EINVAL or ENOSYS. Nothing has changed then.
// On Windows a link that only its path shows (Wine) is kRefused `is-link`, and a directory that is
// open anywhere, or in which anything is open, is kBusy (move_open moves one that is open here).
Result<Placed> move_new(const Dir& from, const SafeName& name, const Dir& to,
                        const SafeName& new_name);

// A new symbolic link in an open directory, with `target` as its text, which is not
// looked at. It never replaces: what has the name stays (kNameTaken).
//
// Errors: see os_error.h; kRefused `unsafe-name` for a target that holds a NUL byte. On Windows the
// target is looked at, because links to files and to directories are two kinds there, and `eperm`
// is the answer to who has neither developer mode nor the privilege. Wine: kRefused `unsupported`.
Result<Placed> make_link(const Dir& dir, const SafeName& name, const std::string& target);

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
// which costs a needless wait. Errors: those of dir.h and move_new.

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
