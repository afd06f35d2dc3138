// SPDX-License-Identifier: Apache-2.0
//
// What those who died have left: makers, adopters, clean-ups.
//
// What a `workspace new` leaves in sessions/: a directory under the name of its stage,
// with a lock in it that its maker holds as long as it lives. It goes by way of the trash, where no
// maker finds it any more, and is never brought back.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "gc/options.h"

namespace holdfast::gc {

// Those that did not change for `grace` by the wall clock, and whose lock is free.
void remove_stages(const Services& services, Duration grace, const std::vector<std::string>& stages,
                   Report& report);

// Entries of session/workspace/outside.h that no workspace is about: their maker, adopter or
// forgetter died on the way. They keep a directory from being adopted again. One goes where no
// record of its id is in sessions/ (`known` are those that the survey found) or in the trash, and
// it has not changed for longer than the grace and a minute: who is at it needs no longer. The
// directory itself is left alone, but for the empty stage of a maker, which is known by its inode.
// Where anything cannot be read, all of them stay.
void remove_orphan_entries(const Services& services, Duration grace,
                           const std::vector<Id128>& known, Report& report);

// A directory outside of the home that lies in the trash beside its place while its workspace is
// there goes back: a clean-up died between the two moves, and the workspace turned out to be needed
// after all. Under the lock of each, without waiting. What cannot go back is a warning.
void bring_back(const Services& services, const std::vector<std::string>& names, Report& report);

}  // namespace holdfast::gc
