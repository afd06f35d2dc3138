# SPDX-License-Identifier: Apache-2.0
"""Processes as /proc shows them: by number and start time, so that a number that went to another is no survivor."""

import contextlib
import os
import pathlib
import signal


def fields(pid):
    """State, parent and start time of a process, or None."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    rest = text[text.rindex(")") + 2:].split()
    return rest[0], int(rest[1]), int(rest[19])


def start_time(pid):
    found = fields(pid)
    return found[2] if found else None


def lives(pid, start):
    """The same process, and not only its remains."""
    found = fields(pid)
    return found is not None and found[2] == start and found[0] not in "ZX"


def tree(root):
    """The process and all that descend from it as long as their parents live."""
    children = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            found = fields(int(entry))
            if found:
                children.setdefault(found[1], []).append(int(entry))
    reached, waiting = [], [root]
    while waiting:
        one = waiting.pop()
        reached.append(one)
        waiting += children.get(one, [])
    return reached


def end(pid, start):
    """One of ours that is still there."""
    if lives(pid, start):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def send(pids, number):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def end_tree(process):
    """A process that we started, with all that descends from it, at once."""
    send(tree(process.pid), signal.SIGKILL)
    process.wait()
