# SPDX-License-Identifier: Apache-2.0
"""Processes that read a counter, add one and write it back, eight at once: what a step costs, and whether the counter ends
at the number of steps. What loses steps is wrong, however fast. Each step is a process of its own, with awk as the filter
where the tool takes one."""

import subprocess
import time

from frame import measure
from frame.result import Comparison

WRITERS = 8
FILTER = "awk '{ print $1 + 1 }'"
SPONGE, SQLITE = "awk | sponge, without a lock", "sqlite3 update, synchronous=off"
PACKAGES = {SPONGE: "moreutils", SQLITE: "sqlite3"}


def run(bench):
    steps, rounds = bench.pick((20, 5), (5, 1))
    with bench.place() as place:
        ways = lines(bench, place)
        runs = {name: measure.Run() for name in ways}
        for counts, name in measure.in_turns(ways, rounds, seconds=40):
            seconds, why = one_round(place, ways[name], steps, in_database=name.startswith("sqlite3"))
            if counts:
                runs[name].values.append(seconds * 1e6 / (WRITERS * steps))
            runs[name].check(why is None, why)
    table = Comparison(f"one step, {WRITERS} writers at once", "us",
                       about="`none` syncs nothing, as the others; `full`, the default, syncs file and directory.")
    table.runs(runs, floor="flock, read, write, rename in C")
    for name, package in PACKAGES.items():
        if name not in runs:
            table.absent(name, bench.peers.why_not(package))
    yield table


def lines(bench, place):
    """By name: the shell line of one step; {counter} is the file."""
    ways = {
        "holdfast update, none": f"{bench.holdfast} update --durability none -w 60s {{counter}} -- {FILTER}",
        "holdfast update, full": f"{bench.holdfast} update -w 60s {{counter}} -- {FILTER}",
        "flock, read, write, rename in C": f"{bench.floor} count {{counter}} 1",
        "flock; awk >tmp; mv": f"flock {{counter}}.lock sh -c \"{FILTER.replace('$', chr(92) + '$')} {{counter}} >{{counter}}.tmp"
                               f" && mv {{counter}}.tmp {{counter}}\"",
        "awk >tmp; mv, without a lock": f"{FILTER} {{counter}} >{{counter}}.$$ && mv {{counter}}.$$ {{counter}}",
    }
    ways[SPONGE] = f"{FILTER} {{counter}} | sponge {{counter}}"
    ways[SQLITE] = "sqlite3 -cmd '.timeout 60000' {counter}.db 'pragma synchronous=off; update counter set n = n + 1'"
    return {name: line for name, line in ways.items() if name not in PACKAGES or bench.peers.has(PACKAGES[name])}


def one_round(place, line, steps, in_database):
    counter = place / "counter"
    counter.write_text("0\n")
    database = place / "counter.db"
    if in_database:
        database.unlink(missing_ok=True)
        measure.timed(["sqlite3", database, "create table counter(n integer); insert into counter values(0);"])
    script = f"i=0; while [ $i -lt {steps} ]; do {line.replace('{counter}', str(counter))}; i=$((i + 1)); done"
    began = time.monotonic()
    writers = [subprocess.Popen(["sh", "-c", script], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
               for _ in range(WRITERS)]
    for writer in writers:
        writer.wait()
    took = time.monotonic() - began
    text = measure.timed(["sqlite3", database, "select n from counter"])[1] if in_database else counter.read_text()
    value = int(text.split()[0]) if text.split() else 0
    expected = WRITERS * steps
    return took, None if value == expected else f"{expected - value} of {expected} steps lost"
