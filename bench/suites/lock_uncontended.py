# SPDX-License-Identifier: Apache-2.0
"""Acquire and release of a lock that nobody else wants, inside one process. The floor is open, flock, close in C."""

from frame import measure
from frame.result import Comparison

BATCH = 500


def run(bench):
    rounds, seconds = bench.pick((120, 20), (8, 4))
    with bench.place() as place:
        contestants = {way: [bench.drivers / "hf_bench_locks", "pair", locks(place, way), way, BATCH]
                       for way in ("raw", "cached-traced", "opened-traced", "cached", "opened")}
        for module in ("fcntl", "filelock", "portalocker", "fasteners"):
            if module == "fcntl" or bench.peers.has(f"python3-{module}"):
                contestants[module] = bench.peer("lock_pair.py", module, place / module, BATCH)
        if bench.peers.has("proper-lockfile"):
            contestants["proper-lockfile"] = bench.peer("lock_pair.js", place / "proper", 20)
        runs = measure.turns(rounds, contestants, seconds)

    table = Comparison("acquire and release of a free lock", "us",
                       about="One process. Buffered traces are what a library has; opened means a new seat for each pair.")
    for way in ("cached-traced", "opened-traced", "cached", "opened"):
        table.ours(title(way), runs[way].values, wrong=runs[way].wrong)
    table.floor("open, flock, close", runs["raw"].values)
    names = {"fcntl": "python: fcntl.flock"}
    for module in ("fcntl", "filelock", "portalocker", "fasteners", "proper-lockfile"):
        name = names.get(module, f"npm: {module}" if module == "proper-lockfile" else f"python: {module}")
        if module in runs:
            table.peer(name, runs[module].values, wrong=runs[module].wrong)
        else:
            table.absent(name, bench.peers.why_not(module if "proper" in module else f"python3-{module}"))
    table.target(title("cached-traced"), "<=", 2.6, "open, flock, close", row="library", label="cached")
    table.target(title("opened-traced"), "<=", 5, "open, flock, close", row="library", label="opened")
    yield table


def title(way):
    seat, _, traced = way.partition("-")
    return f"holdfast, {seat} ledger" + (", traces buffered" if traced else "")


def locks(place, way):
    directory = place / way
    directory.mkdir(mode=0o700)
    return directory
