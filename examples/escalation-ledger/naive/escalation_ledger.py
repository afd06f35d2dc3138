#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What was asked and answered, in one JSON array, by hand. It shows how that goes wrong; do not use it.

  record SIGNAL RESPONSE   add a row          lookup SIGNAL        the latest row, or 1
  replay-safe SIGNAL       0 ask, 1 do not    hash CATEGORY…       the signal of a set of categories
"""
import contextlib
import hashlib
import json
import os
import pathlib
import sys
import tempfile
import time

try:
    if os.environ.get("LEDGER_AS_ON_WINDOWS"):  # for the test: the branch that Windows takes
        raise ImportError
    import fcntl
except ImportError:
    fcntl = None

HOME = pathlib.Path(os.environ.get("LEDGER_DIR", "~/.escalation")).expanduser()
LEDGER, LOCK = HOME / "escalation-history.json", HOME / "escalation-history.lock"
DAY, CAP = 86400, 200


@contextlib.contextmanager
def locked():
    HOME.mkdir(parents=True, exist_ok=True)
    if fcntl is None:
        yield  # "rarely concurrent"
        return
    fd = os.open(LOCK, os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)  # for ever, if need be
        yield
    finally:
        os.close(fd)


def load():
    try:
        rows = json.loads(LEDGER.read_text())
        return rows if isinstance(rows, list) else []
    except (OSError, ValueError):
        return []  # no file, or a damaged one, or one that may not be read


def record(signal, response):
    with locked():
        rows = load()
        pause()
        row = {"signal_hash": signal, "user_response": response, "timestamp": int(time.time())}
        rows = [*rows, row][-CAP:]
        fd, temp = tempfile.mkstemp(dir=HOME)
        with os.fdopen(fd, "w") as out:
            json.dump(rows, out)
        os.replace(temp, LEDGER)
    print(json.dumps(row))
    return 0


def latest(signal):
    rows = [row for row in load() if row["signal_hash"] == signal]
    return rows[-1] if rows else None


def lookup(signal):
    row = latest(signal)
    if row is None:
        return 1
    print(json.dumps(row))
    return 0


def replay_safe(signal):
    row = latest(signal)
    declined = row is not None and row["user_response"] == "declined"
    return 1 if declined and time.time() - row["timestamp"] < DAY else 0


def signal_of(*categories):
    words = sorted({word.strip().lower() for word in categories})
    print(hashlib.sha256("\x1f".join(words).encode()).hexdigest())
    return 0


def pause():
    """For the test: two FIFOs, to say "I have read the ledger" and to be told to go on."""
    at = os.environ.get("LEDGER_PAUSE")
    if at:
        with open(f"{at}.there", "w"):
            pass
        with open(f"{at}.go") as go:
            go.read()


VERBS = {"record": record, "lookup": lookup, "replay-safe": replay_safe, "hash": signal_of}
sys.exit(VERBS[sys.argv[1]](*sys.argv[2:]))
