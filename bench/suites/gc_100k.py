# SPDX-License-Identifier: Apache-2.0
"""The clean-up of 100 000 directories of dead sessions, each with its record, its lock and ten small files, beside `rm -rf` of
the same tree: the plan alone, and the removal for good. rm and find prove nothing; gc proves each session dead, twice. The
5000 come first; the 100 000 take a minute each time, so there are two rounds of them, the second backwards, and no warm-up."""

import json
import os

from frame import measure
from frame.bench import remove
from frame.result import Comparison

FILES = 10
LIMIT = 240  # seconds for one removal
PEERS = {"rm -rf": lambda tree: ["rm", "-rf", tree], "find -delete": lambda tree: ["find", tree, "-delete"]}


def run(bench):
    with bench.own_file_system(bench.pick(8, 1)) as place:
        yard = Yard(bench, place)
        if not bench.quick:
            yield from compare(yard, 5000, 3, PEERS)
        removal, planning, memory = compare(yard, *bench.pick((100000, 2), (500, 1)), ["rm -rf"])
        yield removal.target("holdfast gc --trash-for 0", "<=", 1.2, "rm -rf", row="gc", label="removal")
        yield planning.target("holdfast gc --plan", "<=", 1e6)
        yield memory.target("holdfast gc --plan", "<=", 65536)


def compare(yard, count, rounds, peers):
    """The removal, its plan, and the memory of that."""
    took = {name: [] for name in ("plan", "peak", "gc", *peers)}
    for _, name in measure.in_turns(["gc", *peers], rounds, warm_up=False):
        if name == "gc":
            home = yard.home_of(count)
            os.sync()
            plan = measure.commands(yard.bench, 1, {"plan": yard.gc(home, "--plan", "--quiet")}, try_first=False)["plan"]
            took["plan"] += plan.values
            took["peak"].append(plan.peak_kib)
            took["gc"].append(yard.collect(home, count))
            continue
        tree = yard.fill(yard.place / "tree", count)
        os.sync()
        took[name].append(measure.timed(PEERS[name](tree), LIMIT)[0] * 1e6)
        measure.expect(not tree.exists(), f"{name} left something")
    where = "On an ext4 of its own, in a file." if yard.bench.on_own_file_system else "On the file system of the tree."
    removal = Comparison(f"remove {count} sessions", "us", about=where).ours("holdfast gc --trash-for 0", took["gc"])
    for name in peers:
        removal.peer(name, took[name])
    return (removal, Comparison(f"plan for {count} sessions", "us").ours("holdfast gc --plan", took["plan"]),
            Comparison(f"peak of memory of a plan of {count}", "KiB").ours("holdfast gc --plan", took["peak"]))


class Yard:
    """Directories of dead sessions, made from one that holdfast itself made."""

    def __init__(self, bench, place):
        self.bench, self.place, self.homes = bench, place, 0
        self.template = place / "template"
        self.template.write_bytes((self.new_home() / "sessions" / "s-000000" / "harness.json").read_bytes())

    def new_home(self):
        """With one dead session, s-000000."""
        self.homes += 1
        home = self.place / f"home-{self.homes}"
        words = [self.bench.holdfast, "--home", home, "workspace"]
        _, printed = measure.timed([*words, "new", "s-000000", "--owner", "none", "--json"])
        measure.timed([*words, "end", "s-000000", "--token", json.loads(printed)["token"]])
        return home

    def fill(self, directory, count):
        directory.mkdir(exist_ok=True)
        measure.timed([self.bench.gc_make, self.template, directory, count, FILES])
        return directory

    def home_of(self, count):
        """A home with so many dead sessions."""
        home = self.new_home()
        remove(home / "sessions" / "s-000000")
        self.fill(home / "sessions", count)
        return home

    def gc(self, home, *words):
        return [self.bench.read_from_disk, "--home", home, "gc", "--grace", "0", *words]

    def collect(self, home, count):
        """Microseconds; everything must be gone."""
        took, _ = measure.timed(self.gc(home, "--trash-for", "0", "--json"), LIMIT)
        left = [name for name in os.listdir(home / "sessions") if name.startswith("s-")]
        measure.expect(not left, f"{len(left)} of {count} sessions were not removed")
        return took * 1e6
