#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""locked.py COMMAND…: locked.sh, for systems without a shell of Unix. The whole policy of the hooks is here:

  wait 5 s, then go on without the lock, with `lock.fail_open` on record before;
  all of it, wait and edit, has 25 s, below what the host allows; an edit that hangs then is ended, tree and all;
  a holder of ours that is silent for 30 s (stopped, asleep) loses the lock, and its late edits are refused;
  a holder that is not ours, and was seen to hold it for 30 s, is presumed dead, on record (Linux; Windows does not
  tell who holds a lock, so there the hooks go on without it, on record, as long as that one holds it);
  the host gets 0, or 2 and the reason. COMMAND's own code passes, so COMMAND ends with 0 or 2, too.
"""
import os
import pathlib
import subprocess
import sys

HOLDFAST = os.environ.get("HOLDFAST", "holdfast")
TARGET = os.environ.get("CLAUDE_PROJECT_DIR", ".") + "/CLAUDE.md"


def run(command):
    """Becomes `holdfast lock`; where no program can do that, starts it and returns its code."""
    wait, ttl, budget = (os.environ.get(f"CLAUDE_MD_{name}", default)
                         for name, default in (("WAIT", "5s"), ("TTL", "30s"), ("BUDGET", "25s")))
    reason = " ".join([pathlib.Path(sys.argv[0]).name, *command[:1]])
    words = [HOLDFAST, "lock", "--hook", "--budget", budget, "--file", TARGET, "-w", wait, "--fail-open", "timeout",
             "--ttl", ttl, "--on-expired", "replace", "--presume-dead", ttl, "--reason", reason, "--", *command]
    if os.name == "posix":
        os.execvp(HOLDFAST, words)
    return subprocess.run(words, check=False).returncode


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
