# SPDX-License-Identifier: Apache-2.0
"""Ten thousand declared files in a hundred directories: all of them there (the usual case), and none of them. The floor is
lstat of each, or open and close of each."""

import os
import shutil

from frame import measure
from frame.result import Comparison


def run(bench):
    count = bench.pick(10000, 1000)
    with bench.place() as place:
        there = Paths(place, "there", count)
        measure.timed([bench.holdfast, "ensure", there.manifest])
        runs = measure.commands(bench, bench.pick(30, 5), contestants(bench, there, "lstat"), bench.pick(10, 2))
        yield filled(Comparison(f"{count} files, all there", "us"), runs, "lstat of each").target(
            "holdfast ensure", "<=", 1.5, "lstat of each")
        yield filled(Comparison(f"{count} files, none there", "us",
                                about="What holdfast makes is on stable storage when it returns; the others sync nothing."),
                     made(bench, place, count), "create of each")


def contestants(bench, paths, floor):
    found = {"holdfast ensure": [bench.holdfast, "ensure", paths.manifest],
             f"{floor} of each": [bench.floor, floor, paths.listed],
             "xargs touch, chmod": ["sh", "-c", f"xargs -a {paths.listed} touch && xargs -a {paths.listed} chmod 0644"]}
    if shutil.which("systemd-tmpfiles"):
        found["systemd-tmpfiles"] = ["systemd-tmpfiles", "--create", paths.tmpfiles]
    return found


def made(bench, place, count):
    """Each contestant makes files of its own, in each round others: ext4 is slow where some were removed just now."""
    runs = {name: measure.Run() for name in contestants(bench, Paths(place, "names", 0), "create")}
    turns = measure.in_turns(runs, bench.pick(3, 1), warm_up=not bench.quick)
    for turn, (counts, name) in enumerate(turns):
        paths = Paths(place, f"made-{turn}", count)
        took, _ = measure.timed(contestants(bench, paths, "create")[name])
        if counts:
            runs[name].values.append(took * 1e6)
        modes = [os.stat(path).st_mode & 0o7777 for path in paths.root.glob("*/*")]
        runs[name].check(modes == [0o644] * count, "not all of them are there, with their mode")
    return runs


def filled(table, runs, floor):
    table.runs(runs, floor)
    return table if "systemd-tmpfiles" in runs else table.absent("systemd-tmpfiles", "not installed")


class Paths:
    """So many files, declared in three ways, and their hundred directories."""

    def __init__(self, place, name, count):
        self.root = place / name
        self.manifest, self.listed, self.tmpfiles = (place / f"{name}.{kind}" for kind in ("toml", "list", "conf"))
        files = [f"{self.root}/d{i % 100:02d}/f{i:05d}" for i in range(count)]
        self.manifest.write_text("".join(f'[[path]]\npath = "{file}"\ntype = "file"\nmode = "0644"\n' for file in files))
        self.listed.write_text("".join(f"{file}\n" for file in files))
        self.tmpfiles.write_text("".join(f"f {file} 0644 - - -\n" for file in files))
        for i in range(100):
            (self.root / f"d{i:02d}").mkdir(parents=True, exist_ok=True)
