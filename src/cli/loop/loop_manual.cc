// SPDX-License-Identifier: Apache-2.0
#include "cli/loop/loop_manual.h"

namespace holdfast::cli {

std::vector<Block> loop_manual() {
  return {
      heading("The file"),
      code("[loop]"),
      code("source = \"./ready\"  # JSON lines"),
      code("id = \"number\""),
      code("filter = { state = \"ready\" }"),
      code("run = [\"./agent\", \"{number}\"]"),
      code("timeout = \"1h\""),
      code("verify = [\"./merged\", \"{number}\"]"),
      code("on_success = [\"./end\", \"{number}\"]"),
      code("attempts = 3"),
      code("backoff = [\"5m\", \"30m\"]"),
      code("notify = [\"./tell\", \"{number}\"]"),
      paragraph(
          "A command is an array that runs without a shell, in which `{field}` is replaced by "
          "the item's field, or a line for /bin/sh, in which nothing is. It reads the item as "
          "JSON on its standard input (`notify`: the text) and is told HOLDFAST_LOOP, "
          "HOLDFAST_ITEM_ID and HOLDFAST_ATTEMPT."),
      heading("Keys"),
      term("name", "of the loop and its state (the file's name without `.toml`)"),
      term("source, output",
           "the command that lists items as JSON lines, or with `output = \"nul\"` as ids "
           "separated by NUL bytes"),
      term("source_timeout, source_max", "how long it may take (1m), how much it may print (16M)"),
      term("id", "the field that names an item (id); `a.b` is nested"),
      term("filter, exclude",
           "tables of field = word, or a list of words; all filters must match, no exclusion may"),
      term("priority, priority_order",
           "a field: larger numbers first, or in the order of these words"),
      term("run",
           "the command of an item; or `profile`, a file, and `session_profile`, which of "
           "its sessions"),
      term("session", "the name of its session, with placeholders (NAME-ID)"),
      term("timeout, idle_timeout, grace, lock", "of a run, as in `holdfast run` (1h)"),
      term("contain", "of a run, as in `holdfast run`"),
      term("verify", "asks the world: 0 yes, 69 cannot tell, anything else no"),
      term("on_success, on_failure",
           "what follows when an item is done or given up: a command, or a table of `run`, "
           "`verify` and `timeout`"),
      term("attempts, backoff", "how often (3), and how long between (5m, 30m, 2h)"),
      term("notify, cooldown",
           "tells people; the same trouble again only after this time (1d), giving up always"),
      term("concurrency, every", "how many runs at a time (1); how often the source is asked (1m)"),
      term("verify_every, act_timeout",
           "how soon a verification is asked again (1m); how long everything but a run may take "
           "(5m)"),
      term("chdir, env", "where and with what all commands run (the file's directory)"),
      term("assume_gone_after",
           "how long nobody of an orphaned run whose end cannot be proven must have been seen (its "
           "command dead, no process with its run id) before it counts as over (never)"),
      term("keep", "how long what left the source stays on record (30d)"),
      term("[loop.budget]", "`items`, `time` and `failures` of one day (UTC)"),
  };
}

}  // namespace holdfast::cli
