# SPDX-License-Identifier: Apache-2.0
"""Eight processes want one lock, hold it for 20 µs and think before they want it again: grants, fairness (Jain's index),
the 99th percentile of the wait, processor time; and what it costs to wait. Every grant is checked for overlap."""

import json

from frame import measure
from frame.result import Comparison

PROCESSES, HOLD_US = 8, 20
UNITS = {"grants": ("grants", "/s", "more"), "jain": ("fairness (Jain's index)", "jain", "more"),
         "p99": ("99th percentile of the wait", "us", "less"), "cpu": ("processor time", "s/s", "less")}


def run(bench):
    for think in bench.pick((200, 0), (200,)):
        yield from contended(bench, think)
    yield from waiting(bench)


def contended(bench, think):
    rounds = bench.pick(7, 1)
    with bench.place() as place:
        locks = place / "locks"
        locks.mkdir(mode=0o700)
        figures = bench.driver("hf_bench_locks", "contend", locks, think, rounds)
        peers = {f"python: {module}": python_contends(bench, place, module, think, bench.pick(3, 1))
                 for module in ("filelock", "fasteners") if bench.peers.has(f"python3-{module}")}
    for key, (what, unit, better) in UNITS.items():
        table = Comparison(f"{what}; hold {HOLD_US} us, think {think} us", unit, better)
        table.ours("holdfast", figures[f"ours {key}"])
        table.floor("flock(2), blocking", figures[f"flock {key}"])
        for name, (values, wrong) in peers.items():
            table.peer(name, values[key], wrong=wrong)
        if key == "grants":
            table.target("holdfast", ">=", 0.8, "flock(2), blocking", row="contended",
                         label=f"grants, think {think} µs")
            table.plot = "bars"
        if key == "jain":
            table.target("holdfast", ">=", 0.99, row="contended", label=f"Jain, think {think} µs")
        yield table


def python_contends(bench, place, module, think, rounds):
    values, wrong = {key: [] for key in UNITS}, None
    for _ in range(rounds):
        _, printed = measure.timed(bench.peer("lock_contend.py", module, place / module, PROCESSES, HOLD_US, think, 1))
        found = json.loads(printed)
        grants, waits = found["grants"], sorted(found["waits"])
        values["grants"].append(sum(grants))
        values["jain"].append(sum(grants) ** 2 / (len(grants) * sum(each * each for each in grants)))
        values["p99"].append(waits[int(0.99 * len(waits))])
        values["cpu"].append(found["cpu"])
        wrong = f"{found['overlaps']} overlaps" if found["overlaps"] else wrong
    return values, wrong


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
