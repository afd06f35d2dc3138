// SPDX-License-Identifier: Apache-2.0
//
// The processes that /proc shows.
//
// Three answers: a table is returned only if /proc shows the caller itself under the caller's own
// number. A /proc that is missing, hidden or of another pid namespace (a container that kept the
// outer mount) is kCannotTell, cause `no-proc`, never an empty table: its numbers would name other
// processes.
//
// Limit: the table is read row by row while processes come and go. It says whom to look at; force
// needs proof of its own (proc/tree.h).
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "proc/stat_line.h"

namespace holdfast::proc {

// Does /proc show the caller's own processes?
Result<> check_proc();

Result<std::vector<ProcessFacts>> read_process_table();

// nullopt: gone, or not readable.
Result<std::optional<ProcessFacts>> read_process(os::Pid pid);

// The rows below `root`, itself not included, parents before their children.
std::vector<ProcessFacts> descendants_of(os::Pid root, const std::vector<ProcessFacts>& table);

}  // namespace holdfast::proc
