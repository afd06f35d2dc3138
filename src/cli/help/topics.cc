// SPDX-License-Identifier: Apache-2.0
#include "cli/help/topics.h"

#include <algorithm>
#include <array>

#include "base/exit_code.h"
#include "cli/frame/command_table.h"

namespace holdfast::cli {
namespace {

std::vector<Block> durations() {
  return {
      heading("Description"),
      paragraph("A duration is one or more numbers with the units `ms`, `s`, `m`, `h` and `d`, "
                "largest first. A bare number is seconds. Numbers may have decimals, down to the "
                "nanosecond. There is no sign and no space."),
      heading("Examples"),
      term("500ms", "half a second"),
      term("5s, 5", "five seconds"),
      term("0.2", "a fifth of a second"),
      term("1h30m", "an hour and a half"),
      term("7d", "seven days"),
      paragraph("Nothing is rounded: a value finer than a nanosecond or longer than 292 years is "
                "refused."),
  };
}

std::vector<Block> environment() {
  return {
      heading("Variables that holdfast reads"),
      term("HOLDFAST_HOME", "the home, where `--home` is not given; see `holdfast help home`"),
      term("HOLDFAST_TRUST", "`kernel`: as `--trust kernel`, for every command that takes a lock"),
      term("XDG_STATE_HOME", "the home is `holdfast` below it, where HOLDFAST_HOME is not set"),
      term("HOME", "the home is `.local/state/holdfast` below it, where neither of the two is set"),
      term("NO_COLOR", "set to anything but the empty string: no colors"),
      term(
          "PAGER",
          "a shell line that shows long pages on a terminal (default `less -FRX`); `cat` or empty: "
          "none"),
      term("TERM", "`dumb`: no colors and no pager"),
      term("TZ", "the zone of times that are typed without one, as in `--since yesterday`"),
  };
}

std::vector<Block> exit_codes() {
  std::vector<Block> blocks{
      heading("Description"),
      paragraph(
          "Every answer of holdfast has its own exit code. 1 and 2 are never holdfast's own "
          "answer, because shells and hook hosts give them other meanings. Exempt is who asks "
          "for them: `--hook` answers hosts with 2, `--busy-code` is as typed, and under the "
          "name `flock` the codes are those of flock(1)."),
      heading("Codes"),
  };
  for (const ExitCodeInfo& row : kExitCodes) {
    blocks.push_back(term(std::to_string(to_int(row.code)), std::string(row.meaning)));
  }
  blocks.push_back(term("128+N", "wrappers: the command died of signal N"));
  blocks.push_back(
      paragraph("A wrapper passes its command's own code through. Before the command has started, "
                "64, 65, 66, 69, 75, 77 and 78 stay themselves, while 70, 71 and 74 become 125."));
  return blocks;
}

std::vector<Block> flock() {
  return {
      heading("Description"),
      paragraph("As `holdfast flock`, or started under the name `flock` through a link, holdfast "
                "does what flock(1) of util-linux 2.41 does: the same options, forms and exit "
                "codes. It locks the given file, directory or descriptor by flock(2), or with "
                "--fcntl its bytes, and nothing else: there is no record, no lease, no fence, no "
                "event and no home, and nothing is written into the file."),
      paragraph("The package installs no such link. Make one in a directory of its own, and put "
                "that in front of PATH in the scripts that want it:"),
      term("ln -s /usr/bin/holdfast DIR/flock", "the link"),
      term("PATH=DIR:$PATH", "in the script"),
      paragraph("It excludes, and is excluded by, util-linux's flock on the same file, every "
                "program that uses flock(2) there, and holdfast's own locks: `holdfast lock "
                "/path/of/x.lock` is a lock of that very file, and `--file NAME` one of "
                "`.NAME.lock` beside it."),
      heading("Exit codes"),
      term("0-255", "the command's own; 128+N where it died of signal N"),
      term("1, or -E", "the lock is held by another, or the time is up"),
      term("64", "the command line is wrong"),
      term("65", "the lock failed, or the descriptor is not open"),
      term("66", "the file cannot be opened"),
      term("69", "the command cannot be executed"),
      term("71", "a limit of the system, or no memory"),
      term("73", "the file cannot be created: read-only or full"),
      paragraph("`flock --help` lists the options. For a lock that names its holder, bounds a hung "
                "one and is on record, use holdfast's own locks."),
  };
}

std::vector<Block> home() {
  return {
      heading("Description"),
      paragraph("The home is the directory where holdfast keeps its state: locks, sessions and the "
                "journal. The first of these that is set names it:"),
      term("--home DIR", "as typed"),
      term("$HOLDFAST_HOME", "from the environment"),
      term("$XDG_STATE_HOME/holdfast", "the user's state directory"),
      term("~/.local/state/holdfast", "the default, where HOME is set"),
      paragraph("Where none is set, or a variable holds a relative path, the answer is 78. The "
                "home belongs to one user and has mode "
                "0700. A home that is a link, belongs to somebody else or can be written by others "
                "is refused with 77."),
  };
}

std::vector<Block> json() {
  return {
      heading("Description"),
      paragraph("With `--json` a command prints exactly one JSON document on stdout; streams print "
                "one document per line. Fields are added in later versions, never renamed."),
      paragraph(
          "A stream (`journal query`, `journal follow`) prints its items as lines, without the "
          "fields below. Where its code is not 0, one more line follows: a document with `ok` "
          "false. So a line with `ok` is about the stream, and any other is an item."),
      heading("Fields of every document"),
      term("ok", "true where `code` is 0"),
      term("code", "the exit code"),
      term("error", "only where something failed: what, on what and why, in the fields below"),
      paragraph("A negative answer is no failure: `doctor` that finds a hazard answers with `ok` "
                "false, `code` 66 and no `error`; neither has a wrapper whose command ran and "
                "ended with a code of its own. The page of each command lists its own fields."),
      heading("Fields of error"),
      term("op", "what was tried"),
      term("subject", "on what: a path, a name, an option"),
      term("cause", "a stable word for programs, such as `enospc` or `unknown-option`"),
      term("detail", "why, and what state is left, for people"),
      heading("Values"),
      paragraph("Times are RFC 3339 in UTC with milliseconds. Durations are whole milliseconds in "
                "fields that end in `_ms`. Bytes that are not valid UTF-8 are shown as U+FFFD. A "
                "command line that is wrong is answered with a document too, if `--json` stands "
                "anywhere before `--`."),
  };
}

std::vector<Block> manual() {
  return {
      heading("Description"),
      paragraph("The pages of `holdfast help`, one for each command and topic, are the reference, "
                "and part of the program. The manual is a book around them, in Markdown, and is "
                "installed beside it: in `share/doc/holdfast/docs` below the prefix, which is "
                "/usr for the package and /usr/local for `./dev install`."),
      heading("Where to begin"),
      term("manual.md", "the ideas, in ten minutes, and the way to all the rest"),
      term("manual/tutorial.md", "half an hour, from the first run to a loop"),
      term("manual/tasks.md", "you know what you want to do, and look for the command"),
      term("manual/operations.md", "home, disk, journal, metrics, upgrades"),
      term("manual/cookbook.md", "something is stuck, orphaned, full or silent"),
      term("migrating.md", "from flock, pid files, filelock, `jq > tmp && mv`, cron wrappers"),
      term("recipes.md", "git hooks, cron, systemd units, Makefiles, CI jobs"),
      heading("Guides"),
      term("sessions.md, gc.md, profiles.md", "what runs, what is removed, what is written down"),
      term("locks.md, flock.md", "who may run"),
      term("files.md", "who may write"),
      term("steps.md, loops.md", "what must happen once, and what is worked through"),
      term("journal.md", "what happened"),
      term("hooks.md", "what an agent host is told"),
      term("guarantees.md", "each claim, its limit, its test"),
  };
}

std::vector<Block> sizes() {
  return {
      heading("Description"),
      paragraph("A size is a number with an optional unit; a bare number is bytes. Upper and lower "
                "case mean the same. Decimals must come out at a whole byte."),
      heading("Units"),
      term("K, M, G, T", "powers of 1024; `KiB`, `MiB`, `GiB`, `TiB` mean the same"),
      term("kB, MB, GB, TB", "powers of 1000"),
      heading("Examples"),
      term("4096", "4096 bytes"),
      term("64KiB", "65536 bytes"),
      term("1.5GiB", "1610612736 bytes"),
      term("2GB", "2000000000 bytes"),
  };
}

constexpr std::array kTopics{
    Topic{"durations", "how durations are written", &durations},
    Topic{"environment", "the environment variables that holdfast reads", &environment},
    Topic{"events", "the types of events in the journal, their class and fields", &events_topic},
    Topic{"exit-codes", "what each exit code means", &exit_codes},
    Topic{"flock", "holdfast under the name flock", &flock},
    Topic{"home", "where holdfast keeps its state", &home},
    Topic{"hooks", "what holdfast says to the host of an agent's hook", &hooks_topic},
    Topic{"json", "the documents that --json prints", &json},
    Topic{"manual", "where the book is: tutorial, tasks, operations, cookbook", &manual},
    Topic{"sizes", "how sizes are written", &sizes},
};
static_assert(strictly_rising(kTopics, &Topic::name), "sort kTopics by name");

}  // namespace

std::span<const Topic> topics() { return kTopics; }

const Topic* find_topic(std::string_view name) {
  const auto found = std::ranges::find(kTopics, name, &Topic::name);
  return found == kTopics.end() ? nullptr : &*found;
}

}  // namespace holdfast::cli
