// SPDX-License-Identifier: Apache-2.0
//
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
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "file/replace/replace.h"
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

file::Check command_check(std::string line, Limits limits);

}  // namespace holdfast::cli
