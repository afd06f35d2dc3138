# SPDX-License-Identifier: Apache-2.0
"""Several writers change one file at the same time."""

import contextlib
import sqlite3
import threading

from common import box
from common.verdict import INTACT, SILENT, Cell, must_work
from peers import lock, replace

TITLE = "two writers"
DONE = ("four processes at once add one to the number in a file, again and again; whoever has a lock takes it around "
        "reading and replacing, the others replace the file as they do")
DAMAGE = "the number is smaller than the number of steps that were acknowledged: updates are lost"
VARIES = True
AT_ONCE = 2
WRITERS = 4


class Counter:
    """A number in a file, one more by one command."""

    def __init__(self, inner):
        self.name, self.needs, self.modules = inner.name, inner.needs, inner.modules
        self.inner = inner

    def begin(self, file):
        file.write_text("0\n")

    def value(self, file):
        """The number; 0 where there is none any more."""
        text = file.read_text().strip()
        return int(text) if text.isdigit() else 0


class Locked(Counter):
    def step(self, file):
        return self.inner.command(file.parent / "lock", [box.HERE / "peers" / "step.sh", file])


class Unlocked(Counter):
    def step(self, file):
        replacing = " ".join(f"'{word}'" for word in self.inner.command(file, "$NEW"))
        script = 'NEW=$1.$$; n=$(cat "$1") || exit 1; echo $((n + 1)) >"$NEW"; ' + \
            replacing.replace("'$NEW'", '"$NEW"') + '; code=$?; rm -f "$NEW"; exit "$code"'
        return ["sh", "-c", script, "sh", file]


class HoldfastUpdate(Counter):
    def step(self, file):
        return [box.holdfast(), "update", file, "--wait", "60s", "--", "awk", "{ print $1 + 1 }"]


class SqliteCounter(Counter):
    def begin(self, file):
        with contextlib.closing(sqlite3.connect(file)) as database:
            database.execute("CREATE TABLE counter (n INTEGER)")
            database.execute("INSERT INTO counter VALUES (0)")
            database.commit()

    def value(self, file):
        with contextlib.closing(sqlite3.connect(file)) as database:
            return database.execute("SELECT n FROM counter").fetchone()[0]

    def step(self, file):
        return ["sqlite3", "-bail", "-cmd", ".timeout 60000", file, "UPDATE counter SET n = n + 1;"]


def contestants():
    yield HoldfastUpdate(replace.Holdfast())
    for one in replace.ALL:
        if isinstance(one, replace.Sqlite):
            yield SqliteCounter(one)
        elif not isinstance(one, replace.Holdfast):
            yield Unlocked(one)
    for one in lock.ALL:
        if not isinstance(one, lock.Holdfast):
            yield Locked(one)


CONTESTANTS = list(contestants())


def run(contestant, rng, rounds, quick):
    cell = Cell()
    steps = 2 if quick else max(3, rounds // 2)
    with box.box() as scratch:
        env = box.environment(scratch)
        place = scratch / "work"
        place.mkdir()
        file = place / "counter"
        contestant.begin(file)
        alone = [box.run(contestant.step(file), env, cwd=place, limit=120) for _ in range(2)]  # a control
        must_work(all(ended.claimed for ended in alone) and contestant.value(file) == len(alone), alone[-1])
        acknowledged = []

        def writer():
            for _ in range(steps):
                if box.run(contestant.step(file), env, cwd=place, limit=120).claimed:
                    acknowledged.append(1)

        threads = [threading.Thread(target=writer) for _ in range(WRITERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        lost = max(0, len(alone) + len(acknowledged) - contestant.value(file))
        cell.counts = {"steps": WRITERS * steps, "acknowledged": len(acknowledged), "lost updates": lost}
        cell.note(SILENT if lost else INTACT, "acknowledged updates are not in the file")
    return cell
