// SPDX-License-Identifier: Apache-2.0
//
// LoopFile: what `holdfast loop FILE` works through, as TOML.
//
//   [loop]
//   name = "fix"                        # else the file's name without `.toml`
//   source = ["./ready-issues"]         # prints one JSON object per line, or one array of them
//   output = "nul"                      # instead NUL-separated ids; the default is "lines"
//   source_timeout = "1m"
//   source_max = "16M"                  # of output; more is cannot tell
//   id = "number"                       # the field that names an item (default "id"); a.b nests
//   filter = { state = "ready", "author.login" = ["ann", "bob"] }   # all must match
//   exclude = { label = "wip" }                                     # none may
//   priority = "prio"                   # a field: larger numbers first, or
//   priority_order = ["high", "low"]    # in the order of these words; all else comes last
//   run = ["./agent", "{number}"]       # or profile = "holdfast.toml" with
//                                       # session_profile = "NAME"
//   session = "fix-{number}"            # the name of the run (default "NAME-ID")
//   timeout = "1h"                      # of a run; grace and idle_timeout as in `run`
//   verify = ["./is-merged", "{number}"]
//   on_success = { run = ["./close", "{number}"], verify = ["./is-closed", "{number}"] }
//   on_failure = "./tell"               # both: a command, or a table with run, verify, timeout
//   attempts = 3
//   backoff = ["5m", "30m", "2h"]       # the last one repeats
//   notify = ["./comment", "{number}"]  # gets the text on stdin
//   cooldown = "1d"                     # for the same notice
//   concurrency = 1
//   every = "1m"                        # how often the source is asked
//   verify_every = "1m"                 # how soon after a verification that could not tell
//   act_timeout = "5m"                  # of verify, on_success, on_failure, notify
//   chdir = "."                         # where all commands run (default: the file's directory)
//   env = { MODE = "fix" }
//   lock = "repo"                       # or an array; held during each run
//   assume_gone_after = "1h"            # an orphan of which nobody is seen for so long is over
//   contain = "pidns"                   # each run in a pid namespace; the default is "auto"
//   keep = "30d"                        # how long what left the source stays on record
//   [loop.budget]                       # of one day (UTC); a reached one waits for the next
//   items = 20                          # runs begun
//   time = "6h"                         # that runs took
//   failures = 5                        # attempts that failed
//
// The values shown for times, counts and sizes are the defaults; a budget has none.
//
// A command is a line for `/bin/sh -c`, or an array that runs without a shell, in which `{field}`
// is replaced by the item's field (expand.h). In a line there are no placeholders, and one
// that looks like one is kConfig, as is one in the word behind `sh -c`: text of an item must not
// become shell. The source has no item, and its words are taken as they are.
//
// Guarantees: every path is absolute; commands have a first word; durations and counts are in
// range. Errors: kConfig with NAME:LINE:COLUMN as toml.h has them; `bad-value`, `bad-loop` (keys
// that do not go together), `bad-name`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "format/text/expand.h"

namespace holdfast {

struct LoopCommand {
  std::vector<std::string> words{};  // a line is shell_words(LINE)
  bool is_line = false;

  bool operator==(const LoopCommand&) const = default;
};

// An outside act, and how to see whether it took place.
struct LoopAct {
  LoopCommand run{};
  std::optional<LoopCommand> verify{};
  std::optional<Duration> timeout{};

  bool operator==(const LoopAct&) const = default;
};

struct LoopMatch {
  std::string field{};  // a.b is nested
  std::vector<std::string>
      one_of{};  // words; a number or boolean of an item is compared by its spelling

  bool operator==(const LoopMatch&) const = default;
};

struct LoopBudget {
  std::optional<std::uint64_t> items{};
  std::optional<Duration> time{};
  std::optional<std::uint64_t> failures{};

  bool operator==(const LoopBudget&) const = default;
};

struct LoopFile {
  std::string name{};
  std::string path{};       // absolute, of the file
  std::string directory{};  // absolute, where commands run
  LoopCommand source{};
  bool source_is_nul = false;
  Duration source_timeout{};
  std::uint64_t source_max = 0;
  std::string id{};
  std::vector<LoopMatch> filter{};
  std::vector<LoopMatch> exclude{};
  std::optional<std::string> priority{};
  std::vector<std::string> priority_order{};
  std::optional<LoopCommand> run{};
  std::optional<std::string> profile{};          // absolute; instead of `run`
  std::optional<std::string> session_profile{};  // which session of it
  std::string session{};                         // a template with placeholders; "" is NAME-ID
  Duration timeout{};
  std::optional<Duration> idle_timeout{};
  std::optional<Duration> grace{};
  std::optional<LoopCommand> verify{};
  std::optional<LoopAct> on_success{};
  std::optional<LoopAct> on_failure{};
  std::uint64_t attempts = 0;       // 1 or more
  std::vector<Duration> backoff{};  // at least one
  std::optional<LoopCommand> notify{};
  Duration cooldown{};
  std::uint64_t concurrency = 0;  // 1 to 256
  Duration every{};
  Duration verify_every{};
  Duration act_timeout{};
  std::optional<Duration> assume_gone_after{};
  Duration keep{};
  std::vector<std::string> environment{};  // NAME=VALUE
  std::vector<std::string> locks{};
  bool own_pid_namespace = false;  // contain = "pidns"
  LoopBudget budget{};

  bool operator==(const LoopFile&) const = default;
};

struct LoopSurroundings {
  std::string path{};  // of the file, absolute
  VariableLookup variables{};
};

// `name` is for messages.
Result<LoopFile> parse_loop_file(std::string_view text, std::string name,
                                 const LoopSurroundings& around);

}  // namespace holdfast
