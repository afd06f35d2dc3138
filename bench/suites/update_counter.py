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


def run(bench):
    steps, rounds = bench.pick((20, 5), (5, 1))
    with bench.place() as place:
        ways = lines(bench, place)
        took, wrong = {}, {}
        for _ in measure.rounds(rounds, seconds=40):
            for name, line in ways.items():
                seconds, why = one_round(place, line, steps, ends=name.startswith("sqlite3"))
                took.setdefault(name, []).append(seconds * 1e6 / (WRITERS * steps))
                wrong[name] = wrong.get(name) or why
    table = Comparison(f"one step, {WRITERS} writers at once", "us",
                       about="`none` syncs nothing, as the others; `full`, the default, syncs file and directory.")
    runs = {name: measure.Run(took[name], wrong=wrong[name]) for name in ways}
    yield table.runs(runs, floor="flock, read, write, rename in C")


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
    if bench.peers.has("moreutils"):
        ways["awk | sponge, without a lock"] = f"{FILTER} {{counter}} | sponge {{counter}}"
    if bench.peers.has("sqlite3"):
        ways["sqlite3 update, synchronous=off"] = ("sqlite3 -cmd '.timeout 60000' {counter}.db "
                                                   "'pragma synchronous=off; update counter set n = n + 1'")
    return ways


def one_round(place, line, steps, ends):
    counter = place / "counter"
    counter.write_text("0\n")
    database = place / "counter.db"
    if ends:
        database.unlink(missing_ok=True)
        measure.timed(["sqlite3", database, "create table counter(n integer); insert into counter values(0);"])
    script = f"i=0; while [ $i -lt {steps} ]; do {line.replace('{counter}', str(counter))}; i=$((i + 1)); done"
    began = time.monotonic()
    writers = [subprocess.Popen(["sh", "-c", script], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
               for _ in range(WRITERS)]
    for writer in writers:
        writer.wait()
    took = time.monotonic() - began
    text = measure.timed(["sqlite3", database, "select n from counter"])[1] if ends else counter.read_text()
    value = int(text.split()[0]) if text.split() else 0
    expected = WRITERS * steps
    return took, None if value == expected else f"{expected - value} of {expected} steps lost"
