// SPDX-License-Identifier: Apache-2.0
//
// The processes of testing/processes.h under the names of this folder.
#pragma once

#include "testing/processes.h"

namespace holdfast::proc {

using testing::become_nobody;
using testing::in_child;
using testing::in_pid_namespace;
using testing::in_time_namespace;
using testing::kCannotTry;
using testing::Proc;
using testing::WaitingChild;
using testing::write_text;

}  // namespace holdfast::proc
