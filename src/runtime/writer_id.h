// SPDX-License-Identifier: Apache-2.0
//
// Who writes: this process as the journal names it, `PID.START` with the start time in clock ticks
// since boot (on Windows its creation time). Together with the boot id of the record it names one
// process for ever, as a pid alone does not.
//
// Limit: `PID` alone where the system does not tell the start time (no /proc).
#pragma once

#include <string>

namespace holdfast {

std::string writer_id();

}  // namespace holdfast
