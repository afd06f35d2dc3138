#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What was asked and answered, in one JSON array, on holdfast.

  record SIGNAL RESPONSE   adds a row and prints it; RESPONSE is accepted or declined
  lookup SIGNAL            prints the latest row; 66: there is none, for certain
  replay-safe SIGNAL       0: ask; 3: the latest answer is a "no" of the last day, do not ask
  hash CATEGORY…           prints the signal of a set of categories
  check                    is the ledger whole?

Any other code means that nobody can say, and is holdfast's own: 64 wrong words, 65 the ledger is damaged,
69 a time in it cannot be believed, 71 it cannot be read, 74 the disk, 75 busy for too long, 77 a link or another's
file. 1 is what Python exits with when it crashes, and never an answer.

This program opens no file: directory, lock, ledger and every check of them are holdfast's, on Linux and on Windows.
"""
import hashlib
import json
import os
import subprocess
import sys

HOLDFAST = os.environ.get("HOLDFAST", "holdfast")
DIR = os.environ.get("LEDGER_DIR") or os.path.expanduser("~/.escalation")
LEDGER = f"{DIR}/escalation-history.json"
WAIT = os.environ.get("LEDGER_WAIT", "5s")
TIME = ["--time-field", "timestamp"]
MAY_ASK, DECLINED, USAGE, NOT_FOUND, CANNOT_TELL = 0, 3, 64, 66, 69
DAY_MS = 24 * 3600 * 1000


def holdfast(*words, **how):
    return subprocess.run([HOLDFAST, *words], check=False, **how).returncode


def record(signal, response):
    if response not in ("accepted", "declined"):
        return usage(f"the response is accepted or declined, not {response!r}")
    code = holdfast("ensure", "--dir", DIR, "--mode", "0700", "--pin", "-q", stdout=subprocess.DEVNULL)
    if code != 0:
        return code
    pause()
    row = json.dumps({"signal_hash": signal, "user_response": response})
    caps = ["--cap", "200", "--cap-per", "signal_hash=20"]  # one noisy signal does not drive the others out
    return holdfast("ledger", "append", LEDGER, *TIME, *caps, "--wait", WAIT, "--data", "-", input=row, text=True)


def lookup(signal):
    return holdfast("ledger", "last", LEDGER, "--where", f"signal_hash={signal}")


def replay_safe(signal):
    # One question, so that it is about one state of the ledger: the latest row, its answer, and how old it is.
    which = ["--where", f"signal_hash={signal}", "--json"]
    last = subprocess.run([HOLDFAST, "ledger", "last", LEDGER, *TIME, *which], check=False, stdout=subprocess.PIPE)
    if last.returncode != 0:
        return MAY_ASK if last.returncode == NOT_FOUND else last.returncode
    found = json.loads(last.stdout)
    if found["entry"].get("user_response") != "declined":
        return MAY_ASK
    if found["age_ms"] is None:  # no time, no readable one, or one in the future
        print("escalation_ledger: the time of the latest answer proves nothing", file=sys.stderr)
        return CANNOT_TELL
    return DECLINED if found["age_ms"] < DAY_MS else MAY_ASK


def check():
    return holdfast("ledger", "check", LEDGER, *TIME)


def signal_of(*categories):
    words = sorted({word.strip().lower() for word in categories})
    print(hashlib.sha256("\x1f".join(words).encode()).hexdigest())
    return 0


def usage(why):
    print(f"escalation_ledger: {why}", file=sys.stderr)
    return USAGE


def pause():
    """For the test: two FIFOs, to say "I am about to record" and to be told to go on."""
    at = os.environ.get("LEDGER_PAUSE")
    if at:
        with open(f"{at}.there", "w"):
            pass
        with open(f"{at}.go") as go:
            go.read()


VERBS = {
    "record": (record, 2), "lookup": (lookup, 1), "replay-safe": (replay_safe, 1), "check": (check, 0),
    "hash": (signal_of, None),
}


def main(verb="", *words):
    if verb not in VERBS:
        return usage(f"a verb of {', '.join(VERBS)}")
    do, count = VERBS[verb]
    if count is not None and len(words) != count:
        return usage(f"{verb} takes {count} words")
    return do(*words)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
