# SPDX-License-Identifier: Apache-2.0
"""How the cost of each main operation grows with the work: at 10, 100 and 1000 times the smallest size, measured by turns
where it can be repeated, with a fitted exponent k of base + c·n^k: 0 does not grow, 1 is linear, n·log n looks like 1.16."""

import hashlib
import json
import os
import pathlib

from frame import measure, processes
from frame.result import Series
from suites import loop as loop_suite
from suites.gc_100k import Yard


def run(bench):
    for grow in (lock_among_locks, list_locks, hand_over, list_sessions, plan_gc, collect, journal, blocks, ledger, ensure, write,
                 once, loop, tree):
        yield from grow(bench)


def sizes(bench, smallest=10):
    return [smallest * 10 ** i for i in range(bench.pick(4, 3))]


def measured(bench, what, of, argv_by_size, rounds=None, check=None):
    """Commands by turns, one for each size; afterwards check(size) says whether what is there is right."""
    runs = measure.commands(bench, rounds or bench.pick(25, 3), {str(size): argv for size, argv in argv_by_size.items()},
                            bench.pick(6, 1))
    series = Series(what, of)
    for size in argv_by_size:
        measure.expect(not runs[str(size)].wrong, f"{what}: {runs[str(size)].wrong}")
        measure.expect(check is None or check(size), f"{what}, {size} {of}: what is there afterwards is wrong")
        series.point(size, runs[str(size)].values)
    return series


def answer(*argv):
    """What a command of ours prints as JSON."""
    return json.loads(measure.timed([*argv, "--json"])[1])


def homes(bench, place, make):
    """{size: home}, each filled by make(home, size)."""
    found = {}
    for size in sizes(bench):
        found[size] = place / f"home-{size}"
        make(found[size], size)
    return found


def with_locks(bench):
    def make(home, count):
        measure.timed([bench.holdfast, "--home", home, "lock", "bench", "--", "true"])
        ledger = (home / "locks" / "bench.lock").read_bytes()
        for i in range(count):
            (home / "locks" / f"other-{i}.lock").write_bytes(ledger)
    return make


def lock_among_locks(bench):
    with bench.place() as place:
        found = homes(bench, place, with_locks(bench))
        yield measured(bench, "lock x -- true", "locks in the home",
                       {size: [bench.holdfast, "--home", home, "lock", "bench", "--", "true"] for size, home in found.items()},
                       check=lambda size: answer(bench.holdfast, "--home", found[size], "locks", "bench")["state"] == "free")


def list_locks(bench):
    with bench.place() as place:
        found = homes(bench, place, with_locks(bench))
        yield measured(bench, "locks --all", "locks in the home",
                       {size: [bench.holdfast, "--home", home, "locks", "--all"] for size, home in found.items()}, rounds=7,
                       check=lambda size: len(answer(bench.holdfast, "--home", found[size], "locks", "--all")["locks"])
                       == size + 1)


def hand_over(bench):
    series = Series("lock handed to each waiter", "waiting processes")
    flock = Series("the same, flock(2)", "waiting processes")
    for waiters in bench.pick((1, 10, 100, 1000), (1, 10, 100)):
        with bench.place() as place:
            locks = place / "locks"
            locks.mkdir(mode=0o700)
            figures = bench.driver("hf_bench_locks", "handover", locks, waiters, bench.pick(5, 1))
        series.point(waiters, figures["ours us"])
        flock.point(waiters, figures["flock us"])
    yield series
    yield flock


def with_runs(bench):
    def make(home, count):
        measure.timed([bench.holdfast, "--home", home, "run", "--name", "s-000000", "--", "true"])
        record = (home / "sessions" / "s-000000" / "session.json").read_text()
        for i in range(1, count):
            other = home / "sessions" / f"s-{i:06d}"
            other.mkdir(mode=0o700)
            (other / "session.json").write_text(record.replace("s-000000", other.name))
            (other / "session.json").chmod(0o600)
    return make


def list_sessions(bench):
    with bench.place() as place:
        found = homes(bench, place, with_runs(bench))
        yield measured(bench, "ps --all", "sessions in the home",
                       {size: [bench.holdfast, "--home", home, "ps", "--all"] for size, home in found.items()}, rounds=7,
                       check=lambda size: len(answer(bench.holdfast, "--home", found[size], "ps", "--all")["sessions"]) == size)
        yield measured(bench, "run --name x -- true", "sessions in the home",
                       {size: [bench.holdfast, "--home", home, "run", "--name", "x", "--", "true"]
                        for size, home in found.items()},
                       check=lambda size: (found[size] / "sessions" / "x" / "session.json").exists())


def plan_gc(bench):
    with bench.own_file_system(2) as place:
        yard = Yard(bench, place)
        found = {size: yard.home_of(size) for size in sizes(bench)}
        yield measured(bench, "gc --plan", "dead sessions", {size: yard.gc(home, "--plan", "-q") for size, home in found.items()},
                       rounds=7, check=lambda size: len(answer(*yard.gc(found[size], "--plan"))["removed"]) == size)


def collect(bench):
    series = Series("gc --trash-for 0", "dead sessions")
    with bench.own_file_system(2) as place:
        yard = Yard(bench, place)
        made = {size: [yard.home_of(size) for _ in range(3 if size < 10000 else 1)] for size in sizes(bench)}
        for size, found in made.items():
            series.point(size, [yard.collect(home, size) for home in found])
    yield series


def journal(bench):
    counts = sizes(bench, 1000)
    found = {size: bench.journal(size) for size in counts}

    def words(*more):
        return {size: [bench.holdfast, "--home", home, "journal", *more] for size, home in found.items()}

    def held(size, *more):
        """How many events were made, as they are counted; one of them began the journal."""
        groups = answer(*words("count", "--by", "type", *more)[size])["groups"]
        return sum(group["count"] for group in groups if group["key"].startswith("x."))

    yield measured(bench, "journal count --no-index", "events", words("count", "--by", "type", "--no-index"), rounds=7,
                   check=lambda size: held(size, "--no-index") == size + 1)
    yield measured(bench, "journal verify", "events", words("verify"), rounds=5,
                   check=lambda size: answer(*words("verify")[size])["records"] > size)
    yield measured(bench, "journal count, with index", "events", words("count", "--by", "type"),
                   check=lambda size: held(size) == size + 1)
    yield measured(bench, "journal query --last 20", "events", words("query", "--last", "20"),
                   check=lambda size: len(measure.timed(words("query", "--last", "20")[size])[1].splitlines()) == 20)
    yield measured(bench, "journal append", "events", words("append", "--type", "x.bench", "--data", "{}"),
                   check=lambda size: held(size) > size + 1)
    bench.drop_journals()


def blocks(bench):
    with bench.place() as place:
        commands = {}
        for size in sizes(bench):
            file = place / f"blocks-{size}.conf"
            mark = hashlib.sha256(b"some line\n").hexdigest()[:16]
            file.write_text("".join(f"# >>> holdfast b{i} sha256:{mark}\nsome line\n# <<< holdfast b{i}\n" for i in range(size)))
            put = f"| {bench.holdfast} block put --durability none {file} --id b{size // 2}"
            commands[size] = ["sh", "-c", f"echo one {put}; echo two {put}"]
        yield measured(bench, "block put, twice", "blocks in the file", commands, rounds=9,
                       check=lambda size: one_block_changed((place / f"blocks-{size}.conf").read_text(), size))


def one_block_changed(text, size):
    return (text.count("# >>> holdfast ") == text.count("# <<< holdfast ") == size and text.count("\ntwo\n") == 1
            and text.count("\nsome line\n") == size - 1)


def ledger(bench):
    with bench.place() as place:
        commands = {}
        for size in sizes(bench):
            file = place / f"ledger-{size}.jsonl"
            file.write_text('{"signal":"abc","time":"2026-11-16T15:08:12.941Z"}\n' * size)
            file.chmod(0o600)
            commands[size] = [bench.holdfast, "ledger", "append", file, "--durability", "none", "-d", '{"signal":"abc"}',
                              "--cap", str(size)]
        yield measured(bench, "ledger append --cap", "entries", commands, rounds=9,
                       check=lambda size: len((place / f"ledger-{size}.jsonl").read_text().splitlines()) == size)


def ensure(bench):
    with bench.place() as place:
        commands = {}
        for size in sizes(bench):
            manifest, root = place / f"{size}.toml", place / f"paths-{size}"
            root.mkdir()
            manifest.write_text("".join(f'[[path]]\npath = "{root}/f{i}"\ntype = "file"\nmode = "0644"\n' for i in range(size)))
            commands[size] = [bench.holdfast, "ensure", manifest]
            measure.timed(commands[size])
        yield measured(bench, "ensure, all there", "declared paths", commands, rounds=9,
                       check=lambda size: len(os.listdir(place / f"paths-{size}")) == size)


def write(bench):
    with bench.place() as place:
        commands = {}
        for size in sizes(bench, 16384):
            for name in "ab":
                (place / f"{name}-{size}").write_bytes(name.encode() * size)
            line = f"{bench.holdfast} write --durability none --from {place}/{{}}-{size} {place}/to-{size}"
            commands[size] = ["sh", "-c", line.replace("{}", "a") + "; " + line.replace("{}", "b")]
        yield measured(bench, "write --from, twice", "bytes", commands, rounds=9,
                       check=lambda size: measure.holds(place / f"to-{size}", b"b" * size))


def once(bench):
    def make(home, count):
        measure.timed([bench.holdfast, "--home", home, "once", "k", "--", "true"])
        record = (home / "once" / "once%3Ak.json").read_text()
        for i in range(count):
            (home / "once" / f"once%3Ak{i}.json").write_text(record.replace('"key":"k"', f'"key":"k{i}"'))

    with bench.place() as place:
        found = homes(bench, place, make)
        yield measured(bench, "once, done already", "steps in the home",
                       {size: [bench.holdfast, "--home", home, "once", "-q", "k", "--", "touch", home / "ran"]
                        for size, home in found.items()}, check=lambda size: not (found[size] / "ran").exists())


def loop(bench):
    with bench.place() as place:
        commands = {}
        for size in sizes(bench):
            at = place / str(size)
            at.mkdir()
            os.environ["HOLDFAST_HOME"] = str(at / "home")
            commands[size] = [bench.holdfast, "--home", at / "home", "loop", loop_suite.ready(bench, at, size), "--once", "-q"]
        yield measured(bench, "loop --once, none due", "items", commands, rounds=9,
                       check=lambda size: loop_suite.still_waiting(bench, place / str(size)) == size // 2)


def tree(bench):
    series = Series("stop of a tree", "processes")
    script = 'i=0; while [ "$i" -lt "$1" ]; do sleep 3600 & i=$((i + 1)); done; echo up; wait'
    with bench.place():
        for size in bench.pick((2, 20, 200, 2000), (2, 20, 200)):
            took = []
            for _ in range(3):
                measure.timed([bench.holdfast, "run", "--detach", "--name", "tree", "--", "sh", "-c", script, "sh", str(size)])
                log = pathlib.Path(os.environ["HOLDFAST_HOME"], "sessions", "tree", "out.log")
                while "up" not in log.read_text():
                    pass
                supervisor = json.loads(log.with_name("session.json").read_text())["supervisor"]["pid"]
                sleepers = {pid: processes.start_time(pid) for pid in processes.below(supervisor)[1:]}
                took.append(measure.timed([bench.holdfast, "-q", "stop", "tree", "--grace", "5"])[0] * 1e6)
                left = [pid for pid, start in sleepers.items() if processes.alive(pid, start)]
                measure.expect(len(sleepers) > size and not left, f"{len(left)} of a tree of {size} live on")
            series.point(size, took)
    yield series
