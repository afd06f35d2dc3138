# SPDX-License-Identifier: Apache-2.0
"""Who is there: processes by an environment variable that they inherit, and by their parents. Only what a suite started
is ever signalled: it carries the suite's own mark."""

import os
import pathlib
import signal
import time

MARK = "HOLDFAST_BENCH_MARK"


def numbers():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def stat(pid):
    """(command, state, parent, ticks of processor time, start); None where it is gone."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    command, rest = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2:].split()
    return command, rest[0], int(rest[1]), int(rest[11]) + int(rest[12]), int(rest[19])


def marked(mark):
    """{pid: start} of all that live and carry the mark."""
    wanted, found = f"{MARK}={mark}".encode(), {}
    for pid in numbers():
        try:
            environment = pathlib.Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            continue
        if wanted in environment.split(b"\0"):
            seen = stat(pid)
            if seen and seen[1] != "Z":
                found[pid] = seen[4]
    return found


def alive(pid, start):
    seen = stat(pid)
    return seen is not None and seen[4] == start and seen[1] != "Z"


def wait_gone(processes, limit):
    """Those of {pid: start} that are left after `limit` seconds."""
    until = time.monotonic() + limit
    left = dict(processes)
    while left and time.monotonic() < until:
        pid, start = next(iter(left.items()))
        if alive(pid, start):
            time.sleep(0.0005)
        else:
            del left[pid]
    return {pid: start for pid, start in left.items() if alive(pid, start)}


def end_marked(mark):
    for pid, start in marked(mark).items():
        if alive(pid, start):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def below(root):
    """Pids of the whole tree below `root`, itself included."""
    parents = {}
    for pid in numbers():
        seen = stat(pid)
        if seen:
            parents.setdefault(seen[2], []).append(pid)
    found, look = [], [root]
    while look:
        pid = look.pop()
        found.append(pid)
        look += parents.get(pid, [])
    return found


def pss_kib(pid):
    for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    return 0


def switches(pid):
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if "ctxt_switches" in line)


def below_one(pid):
    """The children of a process with one thread, as the kernel lists them."""
    try:
        return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
