// SPDX-License-Identifier: Apache-2.0
//
// Where the new content of a file comes from: standard input, a file, or commands that holdfast
// runs itself, so that their failure is seen.
//
// The point: a program that reads a pipe sees its end, and the end looks the same whether the
// writer finished or died. Only who starts the writer can tell. So a pipe as stdin is refused
// unless a check or --allow-unchecked says that this is known.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/file/check_command.h"
#include "cli/frame/context.h"
#include "file/replace/replace.h"
#include "os/file/file.h"

namespace holdfast::cli {

struct Producer {
  std::vector<std::vector<std::string>> stages;
  const os::File* input = nullptr;  // what the first one reads; else our own stdin
  bool reads_nothing = false;       // … or nothing at all
  Limits limits{};
  std::vector<std::string> environment{};  // added, NAME=VALUE
};

// Runs it into `job`. `stages` is set, also on failure, to what --json says of each of them.
// Errors: kCorrupt `producer-failed` with the status of the stage to blame; those of writing.
Result<> fill_from_commands(file::Replacement& job, const Producer& producer, Json& stages);

// Errors: kUsage `unchecked-pipe` (see above).
Result<> check_stdin(bool checked);
Result<> fill_from_stdin(file::Replacement& job);
// Links in the path are followed: it is only read. Errors: kNotFound; kBusy `source-changed` where
// somebody writes to it meanwhile. Limit: a writer who makes a pause as long as the reading is not
// noticed.
Result<> fill_from_file(file::Replacement& job, const std::string& path);

}  // namespace holdfast::cli
