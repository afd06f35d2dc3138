#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""add_pin.py TEXT: add_pin.sh, for systems without a shell of Unix: one more line in the block of pins of CLAUDE.md.

It reads its own block and writes it back, so without the lock two of them could lose a line to each other. With
--if-hash the write is made only over the very file that was read; else it is 75, and we read again. The host gets 0
or 2: any other code would be a broken hook to it, and passed over.
"""
import hashlib
import os
import pathlib
import subprocess
import sys

import locked

FILE = pathlib.Path(locked.TARGET)
DONE, BLOCKED, NOT_FOUND, BUSY = 0, 2, 66, 75


def holdfast(*words, **how):
    return subprocess.run([locked.HOLDFAST, *words], check=False, text=True, encoding="utf-8", **how)


def add(text, stop_here):
    seen, pins = "absent", ""
    if FILE.exists():
        seen = hashlib.sha256(FILE.read_bytes()).hexdigest()
        got = holdfast("block", "get", str(FILE), "--id", "pins", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if got.returncode not in (DONE, NOT_FOUND):  # NOT_FOUND: there is no such block yet
            holdfast("block", "check", str(FILE), stdout=sys.stderr)  # says why, for the host
            return got.returncode
        pins = got.stdout if got.returncode == DONE else ""
    if stop_here:
        pause()
    if pins and not pins.endswith("\n"):
        pins += "\n"
    put = ["block", "put", str(FILE), "--id", "pins", "--create", "--if-hash", seen, "-q"]
    return holdfast(*put, input=f"{pins}- {text}\n").returncode


def pause():
    """For the test: a file and a FIFO, to say "I have read it" and to be told to go on."""
    at = os.environ.get("HOOK_PAUSE")
    if at:
        with open(f"{at}.there", "w"):
            pass
        with open(f"{at}.go") as go:
            go.read()


def main(words):
    if words[:1] != ["--locked"]:
        return locked.run([sys.executable, __file__, "--locked", *words])
    code = add(words[1], True)
    for _ in range(4):
        if code != BUSY:
            break
        code = add(words[1], False)
    return DONE if code == DONE else BLOCKED


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Exception as error:  # pylint: disable=broad-except
        print(f"add_pin: {error!r}", file=sys.stderr)
        sys.exit(BLOCKED)
