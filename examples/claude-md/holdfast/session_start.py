#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The hook at the start of a session: notes its id in a block of CLAUDE.md. Input: the host's JSON.

The hook starts itself again under the lock (locked.py) and then makes one call, which leaves every other block
alone, whoever writes it and whether the lock was got or not. The host gets 0, or 2 and the reason: any other code
would be a broken hook to it, and passed over.
"""
import json
import os
import subprocess
import sys

import locked

BLOCKED = 2


def main():
    if sys.argv[1:] != ["--locked"]:
        return locked.run([sys.executable, __file__, "--locked"])
    event = json.load(sys.stdin)
    pause()
    put = [locked.HOLDFAST, "block", "put", locked.TARGET, "--id", "session", "--create", "-q"]
    text = f"Resume with: claude --resume {event['session_id']}\n"
    return 0 if subprocess.run(put, input=text, text=True, check=False).returncode == 0 else BLOCKED


def pause():
    """For the test: two FIFOs, to say "I have read my input" and to be told to go on."""
    at = os.environ.get("HOOK_PAUSE")
    if at:
        with open(f"{at}.there", "w"):
            pass
        with open(f"{at}.go") as go:
            go.read()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception as error:  # pylint: disable=broad-except
        print(f"session_start: {error!r}", file=sys.stderr)
        sys.exit(BLOCKED)
