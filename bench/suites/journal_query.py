# SPDX-License-Identifier: Apache-2.0
"""Counting and asking over 10 million events (2.5 GB). jq and SQLite get one million, and their time is taken ten times: both
are linear, and jq would need minutes. Every answer is compared with another one's, or with the number of events that were
made. The floor reads every byte."""

import json

from frame import measure
from frame.result import Comparison

SMALL = 1000000
JQ_COUNT = "reduce inputs as $r ({}; .[$r.e] += 1)"
TABLE = "events"  # of an export
ONE_TYPE = "x.lock.fail_open"


def grep(home):
    return ["sh", "-c", f"grep -h '\"{ONE_TYPE}\"' {home}/journal/seg-* | wc -l"]


def run(bench):
    many = bench.pick(10 * SMALL, SMALL // 10)
    few = bench.pick(SMALL, SMALL // 10)
    times = many // few
    big, small = bench.journal(many), bench.journal(few)
    with bench.place() as place:
        expected = same_answers(bench, small)
        database = exported(bench, small, place)
        measure.expect(groups_of_sqlite(database) == expected, "SQLite counts something else")
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
        measure.expect(groups(bench, home, "type", *index) == expected, "jq counts something else")
    return expected


def groups(bench, home, field, *words):
    _, printed = measure.timed(ask(bench, home, "count", "--by", field, "--json", *words))
    return {group["key"]: group["count"] for group in json.loads(printed)["groups"]}


def groups_of_sqlite(database):
    _, printed = measure.timed(["sqlite3", "-json", database, f"select type, count(*) as n from {TABLE} group by type"])
    return {row["type"]: row["n"] for row in json.loads(printed)}


def exported(bench, home, place):
    """The same events as a table of SQLite."""
    database, csv = place / "events.db", place / "events.csv"
    measure.timed([bench.holdfast, "--home", home, "journal", "export", "--format", "csv", "--output", csv])
    measure.timed(["sqlite3", database, f".import --csv {csv} {TABLE}"])
    csv.unlink()
    return database


def scanning(bench, big, small, database, many, times):
    contestants = {
        "ours": ask(bench, big, "count", "--by", "type", "--no-index"),
        "read": [bench.floor, "read", *segments(big)],
        "jq": ["jq", "-n", JQ_COUNT, *segments(small)],
    }
    contestants["sqlite"] = ["sqlite3", database, f"select type, count(*) from {TABLE} group by type"]
    runs = measure.commands(bench, 3, contestants, try_first=False)
    scaled = f" (of a {times}th, times {times})" if times > 1 else ""
    table = Comparison(f"count by type, {many} events", "us")
    table.ours("holdfast journal count, no index", runs["ours"].values)
    table.floor("read of every byte", runs["read"].values)
    table.peer(f"jq{scaled}", [value * times for value in runs["jq"].values])
    table.peer(f"sqlite3, group by{scaled}", [value * times for value in runs["sqlite"].values])
    table.target(f"jq{scaled}", ">=", 30, "holdfast journal count, no index", row="count", label="jq, times ours")
    all_of_them = groups(bench, big, "type", "--no-index")
    made = sum(count for key, count in all_of_them.items() if key.startswith("x."))
    measure.expect(made == many + 1, f"{made} events are counted, and {many + 1} were written")  # one began the journal
    measure.expect(groups(bench, big, "type") == all_of_them, "with its index, it counts something else")  # and makes it
    indexed = measure.commands(bench, 20, {"ours": ask(bench, big, "count", "--by", "type")}, bench.pick(5, 1))["ours"]
    table.ours("holdfast journal count, with index", indexed.values)
    table.target("holdfast journal count, with index", "<=", 50e3, row="count", label="with index")
    yield table
    memory = Comparison(f"its memory, {many} events", "KiB").ours("journal count, no index", [runs["ours"].peak_kib])
    yield memory.target("journal count, no index", "<=", 65536)


def asking(bench, home, many):
    same_events(bench, home)
    runs = measure.commands(bench, bench.pick(5, 3), {
        "journal query --last 20": ask(bench, home, "query", "--last", "20"),
        "journal query --type": ask(bench, home, "query", "--json", "--type", ONE_TYPE),
        "tail -n 20": ["tail", "-n", "20", segments(home)[-1]],
        "grep": grep(home),
    }, bench.pick(30, 2))
    last = Comparison(f"the last 20 of {many} events", "us")
    last.ours("journal query --last 20", runs["journal query --last 20"].values)
    last.peer("tail -n 20", runs["tail -n 20"].values)
    yield last
    one = Comparison(f"all events of one type (2 % of {many}) as JSON", "us",
                     about="grep prints the lines as they are, into `wc -l`.")
    one.ours("journal query --type", runs["journal query --type"].values)
    one.peer("grep", runs["grep"].values)
    yield one


def same_events(bench, home):
    """The last twenty are those that tail shows, and the events of one type are as many as grep finds."""
    lines = measure.timed(["tail", "-n", "20", segments(home)[-1]])[1].splitlines()
    asked = measure.timed(ask(bench, home, "query", "--last", "20", "--json"))[1].splitlines()
    measure.expect([json.loads(line)["n"] for line in lines] == [json.loads(line)["seq"] for line in asked],
                   "the last twenty events are others")
    found = int(measure.timed(grep(home))[1])
    _, printed = measure.timed(["sh", "-c", '"$@" | wc -l', "sh", *ask(bench, home, "query", "--json", "--type", ONE_TYPE)])
    measure.expect(int(printed) == found > 0, f"grep finds {found} events of one type, and not {int(printed)}")


def by_field(bench, home, few):
    contestants = {"core": ask(bench, home, "count", "--by", "data.lock", "--no-index")}
    contestants["jq"] = ["jq", "-n", 'reduce inputs as $r ({}; .[$r.d.lock // "(none)"] += 1)', *segments(home)]
    measure.expect(groups(bench, home, "data.lock", "--no-index") == json.loads(measure.timed(contestants["jq"])[1]),
                   "jq counts something else by a field")
    runs = measure.commands(bench, 3, contestants, try_first=False)
    table = Comparison(f"count by a field of the data, {few} events", "us")
    table.ours("holdfast", runs["core"].values)
    yield table.peer("jq", runs["jq"].values)
