# SPDX-License-Identifier: Apache-2.0
"""Appending events, by 1, 4 and 16 processes, in each class: traces may be buffered for a second, events are in the journal
when the call returns, decisions are on stable storage. Beside SQLite in WAL mode with the nearest durability (off,
normal, full); the floor is a bare write(2) of a line, with fdatasync for decisions. Afterwards the journal is verified and
every record counted. Then one event as a process."""

import json
import subprocess

from frame import measure
from frame.result import Comparison

NEAREST = {"trace": "off", "event": "normal", "decision": "full"}
PLAIN = {"trace": "write(2)", "event": "write(2)", "decision": "write(2), fdatasync(2)"}
DATA = '{"lock":"deploy-17","pid":4711,"waited_ms":1500,"reason":"timeout"}'

CROWD = ("Before it appends, a writer of ours checks what the others appended since, under the lock: with 16 of them each "
         "record is read and hashed sixteen times, which is a third of their processor time (perf), and an event costs twice "
         "as much of it as with one writer. Who waits looks again after pauses of 20 µs and more, in which the lock may be "
         "free. SQLite's writers do not check each other's rows, and by itself it waits up to 0.1 s at a time, so that one of "
         "them mostly writes alone, at about the rate of one writer.")


def run(bench):
    rounds = bench.pick(5, 2)
    for event_class in ("trace", "event", "decision"):
        for writers in bench.pick((1, 4, 16), (1, 16)):
            many = bench.pick(24000, 2400) if event_class != "decision" else bench.pick(1600, 320)
            with bench.place() as place:
                figures = bench.driver("hf_bench_journal", "append", place, event_class, many, rounds, writers)
            yield appended(event_class, writers, figures)
    yield as_a_process(bench)


def appended(event_class, writers, figures):
    sqlite = f"SQLite {NEAREST[event_class]}"
    table = Comparison(f"append, {event_class}, {writers} writer{'s' if writers > 1 else ''}", "/s", better="more",
                       plot="append", about=CROWD if (event_class, writers) == ("event", 16) else None)
    table.ours("holdfast", figures["ours"])
    table.floor(PLAIN[event_class], figures["bare"])
    table.peer(sqlite, figures["sqlite"])
    if writers > 1:
        table.peer(f"{sqlite}, looking again soon", figures["sqlite-eager"])
    if (event_class, writers) == ("event", 1):
        table.target("holdfast", ">=", 2.5, sqlite, row="append", label="1 writer")
    if (event_class, writers) == ("decision", 16):
        table.target("holdfast", ">=", 1.5, sqlite, row="append", label="16 durable writers")
        table.target("holdfast", ">=", 1.5, f"{sqlite}, looking again soon")
    return table


def rows(database):
    return int(measure.timed(["sqlite3", database, "select count(*) from events"])[1])


def as_a_process(bench):
    """The kept database is what SQLite can do at its best: nothing is synced, and somebody else keeps it open, so that the
    end of the process does not write everything back into it."""
    rounds, seconds = bench.pick((300, 10), (20, 3))
    insert = f"insert into events(wall, writer, type, data) values(1, 'w', 'x.bench', '{DATA}');"
    with bench.place() as place:
        for name in ("alone", "kept"):
            measure.timed(["sqlite3", place / f"{name}.db", "pragma journal_mode=wal; create table events(seq integer primary"
                           " key, wall integer, writer text, type text, data text);"])
        keeper = subprocess.Popen(["sqlite3", place / "kept.db"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        keeper.stdin.write("select count(*) from events;\n")
        keeper.stdin.flush()
        keeper.stdout.readline()
        runs = measure.commands(bench, rounds, {
            "holdfast journal append": [bench.holdfast, "journal", "append", "--type", "x.bench", "--data", DATA],
            "sqlite3 insert": ["sqlite3", place / "alone.db", insert],
            "sqlite3 insert, normal, kept open": ["sqlite3", place / "kept.db", f"pragma synchronous=normal; {insert}"],
        }, seconds)
        keeper.communicate()
        _, printed = measure.timed([bench.holdfast, "journal", "count", "--type", "x.bench", "--json"])
        held = {"holdfast journal append": json.loads(printed)["count"], "sqlite3 insert": rows(place / "alone.db"),
                "sqlite3 insert, normal, kept open": rows(place / "kept.db")}
        for name, done in runs.items():  # tried once, warmed once
            done.check(held[name] == len(done.values) + 2, f"it holds {held[name]} events")
    table = Comparison("append one event, as a process", "us").runs(runs, floor=None)
    return table.target("holdfast journal append", "<=", 1.2, "sqlite3 insert")
