# SPDX-License-Identifier: Apache-2.0
"""The holder is killed with SIGKILL while another waits: how long until that one is granted the lock. Tools that only look
at the age of a file, or look again after seconds, cannot be quick here."""

import os
import signal
import subprocess
import time

from frame import measure
from frame.result import Comparison


def run(bench):
    rounds = bench.pick(300, 40)
    with bench.place() as place:
        locks = place / "locks"
        locks.mkdir(mode=0o700)
        figures = bench.driver("hf_bench_locks", "recover", locks, rounds)
        table = Comparison("holder killed, next grant", "us")
        table.ours("holdfast", figures["ours us"])
        table.floor("flock(2), blocking", figures["flock us"])
        for module in ("filelock", "fasteners"):
            if bench.peers.has(f"python3-{module}"):
                _, printed = measure.timed(bench.peer("lock_recover.py", module, place / module, bench.pick(9, 2)))
                table.peer(f"python: {module}", map(float, printed.split()))
            else:
                table.absent(f"python: {module}", bench.peers.why_not(f"python3-{module}"))
        slow_peers(bench, place, table)
        table.target("holdfast", "<=", 1000, row="recovery", label="median")
        yield table
        p99 = Comparison("holder killed, next grant: 99th percentile", "us")
        p99.ours("holdfast", [rank(figures["ours us"], 0.99)])
        p99.floor("flock(2), blocking", [rank(figures["flock us"], 0.99)])
        p99.target("holdfast", "<=", 1000, row="recovery", label="99th percentile")
        yield p99


def rank(values, part):
    return sorted(values)[min(int(part * len(values)), len(values) - 1)]


def slow_peers(bench, place, table):
    """Those that take seconds; once or thrice is enough."""
    rounds = bench.pick(3, 1)
    if bench.peers.has("proper-lockfile"):
        values = []
        for _ in range(rounds):
            _, printed = measure.timed(bench.peer("lock_recover.js", place / "proper"))
            values.append(float(printed))
        table.peer("npm: proper-lockfile", values, note="stale after 2 s, the least it takes")
    else:
        table.absent("npm: proper-lockfile", bench.peers.why_not("proper-lockfile"))
    if bench.peers.has("liblockfile-bin"):
        program = bench.peers.command("dotlockfile")
        values = [dotlockfile(program, place / "dot") for _ in range(rounds)]
        table.peer("dotlockfile -p", values, note="looks again each second (-i 1)")
    else:
        table.absent("dotlockfile -p", bench.peers.why_not("liblockfile-bin"))


def dotlockfile(program, path):
    holder = subprocess.Popen([*program, "-p", "-l", str(path), "sleep", "60"], start_new_session=True)
    while not path.exists():
        time.sleep(0.001)
    waiter = subprocess.Popen([*program, "-p", "-r", "30", "-i", "1", "-l", str(path), "true"])
    time.sleep(0.1)
    measure.expect(waiter.poll() is None, "dotlockfile granted a held lock")
    killed = time.monotonic()
    os.killpg(holder.pid, signal.SIGKILL)
    holder.wait()
    measure.expect(waiter.wait(timeout=60) == 0, "dotlockfile never granted the lock")
    return (time.monotonic() - killed) * 1e6
