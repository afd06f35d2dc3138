// SPDX-License-Identifier: Apache-2.0
//
// Where the new content of a file comes from: standard input, a file, or commands that holdfast
// runs itself, so that their failure is seen; and how a command checks it.
//
// The point: a program that reads a pipe sees its end, and the end looks the same whether the
// writer finished or died. Only who starts the writer can tell. So a pipe as stdin is refused
// unless a check or --allow-unchecked says that this is known.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "cli/frame/context.h"
#include "file/replace/replace.h"
#include "os/file/file.h"
#include "supervise/tree_request.h"

namespace holdfast::cli {

// How long a command may take, the time between TERM and KILL when it is ended, and where it runs.
struct Limits {
  std::optional<Duration> timeout{};
  Duration grace = supervise::kDefaultGrace;
  std::optional<std::string> directory{};  // else where the caller is
  // The signal that asked to end one of the commands; shared by all copies.
  std::shared_ptr<std::optional<int>> interrupted = std::make_shared<std::optional<int>>();

  void note_interrupt(int signal) const { *interrupted = signal; }
};

// A check of new content by a command of the user's: `--check 'visudo -cf "$1"'`, `--check 'jq -e
// .version'`.
//
// The line is run by `/bin/sh -c`. It gets the staged content on its standard input, and as "$1"
// and $HOLDFAST_STAGED a path by which it can be opened while the check runs; no name that others
// could find. What it prints goes to stderr. 0 accepts the content, anything else refuses it.
//
// Errors of the check: kCorrupt `check-failed` with the command's status, also where it was out of
// time or interrupted; kCannotTell if it could not be run (`check-not-run`: the shell did not
// start, or did not find or could not execute the command) or watched: then nothing is known about
// the content, and it is not used.
file::Check command_check(const std::string& line, const Limits& limits);

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
