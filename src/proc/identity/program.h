// SPDX-License-Identifier: Apache-2.0
//
// program_of: what a process runs, for people: the first word of its command line. The rest may
// hold secrets and goes into no record and no event (rule J4). Empty where it cannot be read.
#pragma once

#include <string>

#include "os/process/pid.h"

namespace holdfast::proc {

std::string program_of(os::Pid pid);

}  // namespace holdfast::proc
