# SPDX-License-Identifier: Apache-2.0
"""Eight processes want one lock, hold it for 20 µs and think before they want it again: grants, fairness (Jain's index),
the 99th percentile of the wait, processor time; and what it costs to wait. Every grant is checked for overlap. flock is
what holdfast is held to here, and no least that anybody must pay: who looks again after a pause uses less processor time,
and who lets one process take the lock again and again is faster and less fair."""

import json

from frame import measure
from frame.result import Comparison

PROCESSES, HOLD_US = 8, 20
MODULES = ("filelock", "portalocker", "fasteners")
UNITS = {"grants": ("grants", "/s", "more"), "jain": ("fairness (Jain's index)", "jain", "more"),
         "p99": ("99th percentile of the wait", "us", "less"), "cpu": ("processor time", "s/s", "less")}


def run(bench):
    for think in bench.pick((200, 0), (200,)):
        yield from contended(bench, think)
    yield from waiting(bench)


def contended(bench, think):
    sides = {"ours": "holdfast", "flock": "flock(2), blocking"}
    present = [module for module in MODULES if bench.peers.has(f"python3-{module}")]
    runs = {name: {key: measure.Run() for key in UNITS} for name in (*sides, *present)}
    with bench.place() as place:
        locks = place / "locks"
        locks.mkdir(mode=0o700)
        for counts, name in measure.in_turns(runs, bench.pick(7, 1), warm_up=not bench.quick):
            if name in sides:
                figures, wrong = bench.driver("hf_bench_locks", "contend", locks, think, name), None
            else:
                figures, wrong = python_contends(bench, place, name, think)
            for key, done in runs[name].items():
                if counts:
                    done.values += figures[key]
                done.check(wrong is None, wrong)
    for key, (what, unit, better) in UNITS.items():
        table = Comparison(f"{what}; hold {HOLD_US} us, think {think} us", unit, better)
        table.ours(sides["ours"], runs["ours"][key].values)
        table.floor(sides["flock"], runs["flock"][key].values)
        of_key = {f"python: {name}": runs[name][key] for name in present}
        for module in MODULES:
            table.peer_of(of_key, f"python: {module}", bench.peers.why_not(f"python3-{module}"))
        if key == "grants":
            table.target("holdfast", ">=", 0.8, "flock(2), blocking", row="contended",
                         label=f"grants, think {think} µs")
        if key == "jain":
            table.target("holdfast", ">=", 0.99, row="contended", label=f"Jain, think {think} µs")
        yield table


def python_contends(bench, place, module, think):
    """One second: its figures as the driver prints ours, and why they do not count."""
    _, printed = measure.timed(bench.peer("lock_contend.py", module, place / module, PROCESSES, HOLD_US, think, 1))
    found = json.loads(printed)
    grants, waits = found["grants"], sorted(found["waits"])
    values = {"grants": [sum(grants)], "jain": [sum(grants) ** 2 / (len(grants) * sum(each * each for each in grants))],
              "p99": [waits[int(0.99 * len(waits))]], "cpu": [found["cpu"]]}
    return values, f"{found['overlaps']} overlaps" if found["overlaps"] else None


def waiting(bench):
    with bench.place() as place:
        locks = place / "locks"
        locks.mkdir(mode=0o700)
        figures = bench.driver("hf_bench_locks", "idle", locks, PROCESSES, 1000)
    for key, what, unit, limit, label in (
            ("processes ms", "8 processes wait for 2 s: processor time", "ms", 1, "8 processes wait 2 s"),
            ("threads ms", "1000 threads wait for 2 s: processor time", "ms", 5, "1000 threads wait 2 s"),
            ("threads bytes", "heap of a waiting thread", "B", 4096, None)):
        yield Comparison(what, unit).ours("holdfast", figures[key]).target(
            "holdfast", "<=", limit, row="contended" if label else None, label=label)
