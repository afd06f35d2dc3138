// SPDX-License-Identifier: Apache-2.0
//
// The frame: from argv to the exit status. It is the whole program but for main().
//
// Sequence, each step the last one for the cases it answers:
//   1. the name of the program chooses a personality;
//   2. argv is cut at the first `--`;
//   3. the common options in front of the command word are read; `--version` is answered here;
//   4. the command word or words are looked up, the longest match in the table;
//   5. the line is cut where the user's command begins, and the options before it are parsed;
//   6. `--help` and `--version` are answered, else the command runs;
//   7. its answer, or its Error, is rendered and stdout is written.
//
// Exit status of a wrapper (Trailing::kCommand): 70, 71 and 74 become 125 where its command has not
// run, so that none of them is mistaken for the command's own (FrameContext::finish).
//
// `holdfast` or a group word alone is a usage error: 64, and what could be typed on stderr.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "cli/frame/command_table.h"
#include "cli/frame/console.h"
#include "cli/frame/context.h"

namespace holdfast::cli {

// Personalities: the program acts by the name under which it was started (a link), as busybox does,
// or by its first word (`holdfast flock …`).
//
// The name is the last component of argv[0]. A name that is not in the table is holdfast itself. A
// name in the table never falls back to holdfast: a script that calls `flock f cmd` must not have
// its words read as holdfast commands. It gets the process as the caller left it: streams that are
// closed or signals that are ignored are part of what the other tool shows or hands on.
struct Personality {
  std::string_view program;
  // Gets argv as it was; returns the exit status.
  int (*run)(Console& console, const std::vector<std::string>& argv);
};

std::span<const Personality> personalities();

struct Program {
  CommandTable table;
  std::span<const Personality> personalities;
};

// Is it another tool that was asked for, by the name of the program? Then main() changes nothing in
// the process before run_frame.
bool acts_as_another(const Program& program, const std::vector<std::string>& argv);

int run_frame(Console& console, const Clock& clock, const Program& program,
              const std::vector<std::string>& argv);

// Instead of run_frame, where the process could not be set up: nothing is done, `error` is shown as
// a command's own would be, and its exit status (125 where argv names a wrapper) returned.
int refuse_to_start(Console& console, const Clock& clock, const Program& program,
                    const std::vector<std::string>& argv, const Error& error);

}  // namespace holdfast::cli
