# SPDX-License-Identifier: Apache-2.0
"""Counting and asking over 10 million events (2.5 GB). jq and SQLite get one million, and their time is taken ten times: both
are linear, and jq would need minutes. Answers are compared first. The floor reads every byte."""

import json

from frame import measure
from frame.result import Comparison

SMALL = 1000000
JQ_COUNT = "reduce inputs as $r ({}; .[$r.e] += 1)"


def run(bench):
    many = bench.pick(10 * SMALL, SMALL // 10)
    few = bench.pick(SMALL, SMALL // 10)
    times = many // few
    big, small = bench.journal(many), bench.journal(few)
    with bench.place() as place:
        same_answers(bench, small)
        database = exported(bench, small, place)
        yield from scanning(bench, big, small, database, many, times)
        yield from asking(bench, big, many)
    if not bench.quick:
        yield from by_field(bench, small, few)


def segments(home):
    return sorted((home / "journal").glob("seg-*"))


def ask(bench, home, *words):
    return [bench.holdfast, "--home", home, "journal", *words]


def same_answers(bench, home):
    _, printed = measure.timed(["jq", "-n", JQ_COUNT, *segments(home)])
    expected = json.loads(printed)
    for index in (["--no-index"], [], []):
        _, printed = measure.timed(ask(bench, home, "count", "--by", "type", "--json", *index))
        counted = {group["key"]: group["count"] for group in json.loads(printed)["groups"]}
        measure.expect(counted == expected, "jq counts something else")


def exported(bench, home, place):
    """The same events as a table of SQLite; None without the helper."""
    database = place / "events.db"
    if not bench.helper.exists():
        return None
    measure.timed([bench.original, "--home", home, "journal", "export", "--format", "sqlite", "--output", database])
    return database


def scanning(bench, big, small, database, many, times):
    table_of = "events"
    contestants = {
        "ours": ask(bench, big, "count", "--by", "type", "--no-index"),
        "read": [bench.floor, "read", *segments(big)],
        "jq": ["jq", "-n", JQ_COUNT, *segments(small)],
    }
    if database:
        table_of = measure.timed(["sqlite3", database, "select name from sqlite_master where type = 'table'"])[1].split()[0]
        contestants["sqlite"] = ["sqlite3", database, f"select type, count(*) from {table_of} group by type"]
    runs = measure.commands(bench, 3, contestants, try_first=False)
    scaled = f" (of a {times}th, times {times})" if times > 1 else ""
    table = Comparison(f"count by type, {many} events", "us")
    table.ours("holdfast journal count, no index", runs["ours"].values)
    table.floor("read of every byte", runs["read"].values)
    table.peer(f"jq{scaled}", [value * times for value in runs["jq"].values])
    if database:
        table.peer(f"sqlite3, group by{scaled}", [value * times for value in runs["sqlite"].values])
    else:
        table.absent("sqlite3, group by", "holdfast-journal, which makes the database, is not built")
    table.target(f"jq{scaled}", ">=", 30, "holdfast journal count, no index", row="count", label="jq, times ours")
    measure.timed(ask(bench, big, "count", "--by", "type"))  # makes the index
    indexed = measure.commands(bench, 20, {"ours": ask(bench, big, "count", "--by", "type")}, bench.pick(5, 1))["ours"]
    table.ours("holdfast journal count, with index", indexed.values)
    table.target("holdfast journal count, with index", "<=", 50e3, row="count", label="with index")
    yield table
    memory = Comparison(f"its memory, {many} events", "KiB").ours("journal count, no index", [runs["ours"].peak_kib])
    yield memory.target("journal count, no index", "<=", 65536)


def asking(bench, home, many):
    runs = measure.commands(bench, bench.pick(5, 3), {
        "journal query --last 20": ask(bench, home, "query", "--last", "20"),
        "journal query --type x.lock.fail_open": ask(bench, home, "query", "--json", "--type", "x.lock.fail_open"),
        "tail -n 20": ["tail", "-n", "20", segments(home)[-1]],
        "grep": ["sh", "-c", f"grep -h '\"x.lock.fail_open\"' {home}/journal/seg-* | wc -l"],
    }, bench.pick(30, 2))
    last = Comparison(f"the last 20 of {many} events", "us")
    last.ours("journal query --last 20", runs["journal query --last 20"].values)
    last.peer("tail -n 20", runs["tail -n 20"].values)
    yield last
    one = Comparison(f"all events of one type (2 % of {many}) as JSON", "us", about="grep prints the lines as they are, into `wc -l`.")
    one.ours("journal query --type", runs["journal query --type x.lock.fail_open"].values)
    one.peer("grep", runs["grep"].values)
    yield one


def by_field(bench, home, few):
    contestants = {"core": ask(bench, home, "count", "--by", "data.lock", "--no-index")}
    if bench.helper.exists():
        contestants["helper"] = [bench.helper, "--home", home, "journal", "count", "--by", "data.lock", "--no-index"]
        outputs = {measure.timed(argv)[1] for argv in contestants.values()}
        measure.expect(len(outputs) == 1, "core and helper count differently")
    contestants["jq"] = ["jq", "-n", 'reduce inputs as $r ({}; .[$r.d.lock // "(none)"] += 1)', *segments(home)]
    runs = measure.commands(bench, 3, contestants, try_first=False)
    table = Comparison(f"count by a field of the data, {few} events", "us")
    table.ours("holdfast alone", runs["core"].values)
    if "helper" in runs:
        table.ours("with its helper holdfast-journal", runs["helper"].values)
    yield table.peer("jq", runs["jq"].values)
