// SPDX-License-Identifier: Apache-2.0
//
// The control groups that a run left behind because its supervisor was killed (rule G6). They go
// before the record that names them: after that nobody knows whose they are.
//
// The caller has proof that the run is over. A group in which somebody is stays all the same: the
// kernel removes none that is not empty. One that was made right before its supervisor died is in
// no record yet; it is found by the run's id, below the caller's own group, where runs of this
// caller put theirs.
#pragma once

#include "format/session/session_record.h"

namespace holdfast::run {

// What cannot be removed is an empty directory of the kernel's, and harms nobody.
void remove_groups_of(const SessionRecord& record);

}  // namespace holdfast::run
