// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/commands.h"

namespace holdfast::cli {

std::vector<Block> profile_manual() {
  return {
      heading("What a profile is"),
      paragraph(
          "A TOML file says under `[session.NAME]` how a session is run, and "
          "`holdfast run --profile FILE NAME` does it: everything is checked, then `ensure`, "
          "each `refresh`, `layers` and `gc` are done in this order, then the locks are "
          "taken and the command starts. A step that fails is named, and nothing is started."),
      code("[session.agent]"),
      code("command = [\"./agent\", \"{layers}\"]"),
      code("lock = \"repo\""),
      code("timeout = \"1h\""),
      code("ensure = \"paths.toml\""),
      code("layers = \"layers.toml\""),
      code("[[session.agent.refresh]]"),
      code("path = \"config.json\""),
      code("command = \"./make-config\""),
      code("check = \"json\""),
      paragraph("`--profile NAME`, without a slash and `.toml`, looks for the session in "
                "./holdfast.toml and then in $XDG_CONFIG_HOME/holdfast/config.toml (or "
                "~/.config/holdfast/config.toml). What is typed wins over the profile: an option "
                "replaces the same one there, each --env one variable, and words after `--` are "
                "added to an array `command`."),
      paragraph("A duration is text (\"90s\", \"1h\") or a whole number of seconds, a size text "
                "(\"2G\") or a number of bytes. Relative paths start at the directory of the file; "
                "in paths and in `env`, `~` and `${VAR}` are expanded, and an unset variable is an "
                "error. A key that is not known is an error."),
      heading("Keys"),
      term("command",
           "an array runs without a shell, a string is a line for /bin/sh; as in `run`, "
           "its words are not expanded"),
      term("env, chdir, stdin", "a table of strings; a directory (else the caller's); a file"),
      term("lock, lock_wait", "a name or an array of names; how long to wait for each"),
      term("timeout, idle_timeout, grace", "as the options of `run`"),
      term("kill_signal", "as the option of `run`"),
      term("verify, verify_timeout, on_end", "as the options of `run`: lines for the shell"),
      term("on_failure, on_success", "as the options of `run`"),
      term("once_per_streak", "as the option of `run`"),
      term("pty, log, log_max, wait_descendants", "`log = false` is --no-log"),
      term("contain", "as the option of `run`"),
      term("limits",
           "a table: `memory`, `memory_fallback`, `pids`, `cpu`, `nofile`, `best_effort`"),
      term("ensure",
           "the path of a manifest, or `[[session.NAME.ensure]]` tables with the keys "
           "of its `[[path]]` entries (`holdfast help ensure`)"),
      term("refresh",
           "`[[session.NAME.refresh]]` tables, each a file that is replaced as "
           "`holdfast write` does: `path`, `command` or `from`, and `check`, `mode`, "
           "`backup`, `allow_empty`, `timeout`; commands run in the directory of the "
           "profile, without a standard input"),
      term("layers, layers_format",
           "a plan (`holdfast help layers`), whose words stand in place "
           "of the word {layers} of `command`; \"plain\" or \"compose\""),
      term("gc",
           "`true`, or a table: `probe` (a line or an array of them), `grace`, `rescue`, "
           "`keep`, `max_age`, `trash_for`; a pass of `gc` that never keeps the session from "
           "starting"),
  };
}

}  // namespace holdfast::cli
