# SPDX-License-Identifier: Apache-2.0
"""A command under a lock, as a shell script does it: `true` with nobody else there. The floor
opens, flocks and becomes the command, as some of the peers do; holdfast and flock(1) wait for it."""

from frame import measure
from frame.result import Comparison


def run(bench):
    rounds, seconds = bench.pick((600, 25), (30, 4))
    with bench.place() as place:
        peers = {
            "flock f true": ("util-linux", ["flock", place / "flock", "true"]),
            "s6-setlock f true": ("s6", [*bench.peers.command("s6-setlock"), place / "s6", "true"]),
            "chpst -l f true": ("runit", ["chpst", "-l", place / "runit", "true"]),
            "dotlockfile -l f true": ("liblockfile-bin", [*bench.peers.command("dotlockfile"), "-l", place / "dot", "true"]),
            "lockfile f; true; rm f": ("procmail", ["sh", "-c", f"lockfile {place}/mail && true && rm -f {place}/mail"]),
        }
        contestants = {"floor": [bench.floor, "lock", place / "floor", "true"],
                       "ours": [bench.holdfast, "lock", "bench", "--", "true"],
                       "read": [bench.read_from_disk, "lock", "bench", "--", "true"],
                       "as flock": [flock_link(bench, place), place / "as-flock", "true"]}
        contestants.update({name: argv for name, (package, argv) in peers.items() if bench.peers.has(package)})
        runs = measure.commands(bench, rounds, contestants, seconds)
        _, listed = measure.timed([bench.holdfast, "locks", "bench", "--json"])
        measure.expect('"state":"free"' in listed.replace(" ", ""), "the lock is not free afterwards")

    table = Comparison("a lock around `true`", "us", about="Start of both programs included.")
    table.ours("holdfast lock x -- true", runs["ours"].values, wrong=runs["ours"].wrong)
    table.ours("the same, read from the disk", runs["read"].values, wrong=runs["read"].wrong)
    table.ours("holdfast under the name flock", runs["as flock"].values, wrong=runs["as flock"].wrong)
    table.floor("open, flock, exec", runs["floor"].values)
    for name, (package, _) in peers.items():
        if name in runs:
            table.peer(name, runs[name].values, wrong=runs[name].wrong)
        else:
            table.absent(name, bench.peers.why_not(package))
    table.target("holdfast lock x -- true", "<=", 1.0, "flock f true", row="lock", label="lock x -- true")
    yield table


def flock_link(bench, place):
    link = place / "bin" / "flock"
    link.parent.mkdir()
    link.symlink_to(bench.holdfast)
    return link
