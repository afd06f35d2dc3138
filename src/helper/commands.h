// SPDX-License-Identifier: Apache-2.0
//
// The commands of holdfast-journal: what of `holdfast journal` needs a shared library.
//
//   holdfast-journal [OPTION…] journal count …    as `holdfast` itself, with the faster field
//   reader holdfast-journal [OPTION…] journal query … holdfast-journal export-sqlite --output FILE
//   sqlite_export.h; the events come on stdin
//
// It is not for typing: `holdfast` starts it with its own arguments where it pays
// (cli/helper_program.h).
#pragma once

#include "cli/command_table.h"

namespace holdfast::helper {

extern const cli::CommandSpec kExportSqliteCommand;  // cmd_export_sqlite.cc

cli::CommandTable commands();

}  // namespace holdfast::helper
