# SPDX-License-Identifier: Apache-2.0
"""The holder is killed with SIGKILL while another waits: how long until that one is granted the lock. Tools that only look
at the age of a file, or look again after seconds, cannot be quick here."""

import os
import signal
import subprocess
import time

from frame import measure
from frame.result import Comparison

MODULES = ("filelock", "portalocker", "fasteners")
PROPER, DOT = "npm: proper-lockfile", "dotlockfile -p"
NOTES = {PROPER: "stale after 2 s, the least it takes", DOT: "looks again each second (-i 1)"}


def run(bench):
    """In turns, each with as many rounds as it has time for: those that look again after seconds have one in a turn."""
    with bench.place() as place:
        ways = {name: way for name, (package, way) in peers(bench, place).items() if bench.peers.has(package)}
        runs = {name: measure.Run() for name in ways}
        ours, flock = measure.Run(), measure.Run()
        for counts, name in measure.in_turns(["driver", *ways], bench.pick(3, 1), warm_up=not bench.quick):
            if name == "driver":
                figures = bench.driver("hf_bench_locks", "recover", locks(place), bench.pick(100, 40))
                ours.values += figures["ours us"] if counts else []
                flock.values += figures["flock us"] if counts else []
            else:
                took = ways[name]()
                runs[name].values += took if counts else []
    table = Comparison("holder killed, next grant", "us")
    table.ours("holdfast", ours.values).floor("flock(2), blocking", flock.values)
    for name, (package, _) in peers(bench, place).items():
        table.peer_of(runs, name, bench.peers.why_not(package), note=NOTES.get(name))
    yield table.target("holdfast", "<=", 1000, row="recovery", label="median")
    p99 = Comparison("holder killed, next grant: 99th percentile", "us")
    p99.ours("holdfast", [rank(ours.values, 0.99)]).floor("flock(2), blocking", [rank(flock.values, 0.99)])
    yield p99.target("holdfast", "<=", 1000, row="recovery", label="99th percentile")


def locks(place):
    directory = place / "locks"
    directory.mkdir(mode=0o700, exist_ok=True)
    return directory


def peers(bench, place):
    """{name: (package, what gives the microseconds of one turn)}."""
    def python(module):
        return lambda: numbers(bench.peer("lock_recover.py", module, place / module, bench.pick(3, 2)))

    found = {f"python: {module}": (f"python3-{module}", python(module)) for module in MODULES}
    found[PROPER] = ("proper-lockfile", lambda: numbers(bench.peer("lock_recover.js", place / "proper")))
    found[DOT] = ("liblockfile-bin", lambda: [dotlockfile(bench.peers.command("dotlockfile"), place / "dot")])
    return found


def numbers(argv):
    return [float(word) for word in measure.timed(argv)[1].split()]


def rank(values, part):
    return sorted(values)[min(int(part * len(values)), len(values) - 1)]


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
