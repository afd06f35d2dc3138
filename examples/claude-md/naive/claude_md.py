# SPDX-License-Identifier: Apache-2.0
"""Managed blocks of CLAUDE.md as hooks keep them by hand. It shows how that goes wrong; do not use it."""
import contextlib
import fcntl
import os
import pathlib
import re
import time

WAIT = float(os.environ.get("CLAUDE_MD_WAIT", "5"))  # seconds
TTL = float(os.environ.get("CLAUDE_MD_TTL", "0"))  # of the sidecar, by its mtime; 0: there is none
TARGET = pathlib.Path(os.environ.get("CLAUDE_PROJECT_DIR", ".")) / "CLAUDE.md"


@contextlib.contextmanager
def file_lock(target):
    sidecar = target.parent / f".{target.name}.lock"
    if TTL and sidecar.exists() and time.time() - sidecar.stat().st_mtime > TTL:
        sidecar.unlink(missing_ok=True)  # "its holder is presumed dead"
    fd = os.open(sidecar, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        end = time.monotonic() + WAIT
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= end:
                    break  # fail open, and nobody is told
                time.sleep(0.05)
        yield
    finally:
        os.close(fd)


def put_block(target, name, text):
    begin, end = f"<!-- {name}:start -->", f"<!-- {name}:end -->"
    block = f"{begin}\n{text}\n{end}"
    with file_lock(target):
        old = target.read_text() if target.exists() else ""
        pair = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
        new, found = pair.subn(lambda _: block, old, count=1)
        if not found:
            new = f"{old}{block}\n"
        pause()
        target.write_text(new)


def pause():
    """For the test: two FIFOs, to say "I have read the file" and to be told to go on."""
    at = os.environ.get("HOOK_PAUSE")
    if at:
        with open(f"{at}.there", "w"):
            pass
        with open(f"{at}.go") as go:
            go.read()
