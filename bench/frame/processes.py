# SPDX-License-Identifier: Apache-2.0
"""Who is there, as /proc shows it: processes by an environment variable that they inherit, and by their parents. A process
is its number and its start, so that a number that went to another one is no survivor. Only what a suite or a fault started
is ever signalled."""

import contextlib
import os
import pathlib
import signal
import time
import typing

MARK = "HOLDFAST_BENCH_MARK"


def numbers():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


class Stat(typing.NamedTuple):
    command: str
    state: str
    parent: int
    ticks: int  # of processor time
    start: int


def stat(pid):
    """None where it is gone."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    command, rest = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2:].split()
    return Stat(command, rest[0], int(rest[1]), int(rest[11]) + int(rest[12]), int(rest[19]))


def start_time(pid):
    seen = stat(pid)
    return seen.start if seen else None


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
            if seen and seen.state not in "ZX":
                found[pid] = seen.start
    return found


def alive(pid, start):
    """The same process, and not only its remains."""
    seen = stat(pid)
    return seen is not None and seen.start == start and seen.state not in "ZX"


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


def send(pids, number):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def end(pid, start):
    if alive(pid, start):
        send([pid], signal.SIGKILL)


def end_marked(mark):
    for pid, start in marked(mark).items():
        end(pid, start)


def end_tree(process):
    """A child of ours, with all that descends from it, at once."""
    send(below(process.pid), signal.SIGKILL)
    process.wait()


def below(root):
    """Pids of `root` and of all that descend from it as long as their parents live, itself first."""
    parents = {}
    for pid in numbers():
        seen = stat(pid)
        if seen:
            parents.setdefault(seen.parent, []).append(pid)
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
