# SPDX-License-Identifier: Apache-2.0
"""A command under a lock, as a shell script does it: `true` with nobody else there. The floor
opens, flocks and becomes the command, as some of the peers do; holdfast and flock(1) wait for it."""

from frame import measure
from frame.result import Comparison

PACKAGES = {"flock f true": "util-linux", "s6-setlock f true": "s6", "chpst -l f true": "runit",
            "dotlockfile -l f true": "liblockfile-bin", "lockfile f; true; rm f": "procmail"}


def run(bench):
    rounds, seconds = bench.pick((600, 25), (30, 4))
    with bench.place() as place:
        marker, link = measure.Marker(place), flock_link(bench, place)
        contestants = wrappers(bench, place, link, "true")
        runs = measure.commands(bench, rounds, contestants, seconds)
        for name, argv in wrappers(bench, place, link, marker.command).items():
            wrong = marker.why_wrong(argv)
            runs[name].check(wrong is None, wrong)
        _, listed = measure.timed([bench.holdfast, "locks", "bench", "--json"])
        measure.expect('"state":"free"' in listed.replace(" ", ""), "the lock is not free afterwards")

    table = Comparison("a lock around `true`", "us", about="Start of both programs included.")
    table.ours("holdfast lock x -- true", runs["ours"].values, wrong=runs["ours"].wrong)
    table.ours("the same, read from the disk", runs["read"].values, wrong=runs["read"].wrong)
    table.ours("holdfast under the name flock", runs["as flock"].values, wrong=runs["as flock"].wrong)
    table.floor("open, flock, exec", runs["floor"].values, wrong=runs["floor"].wrong)
    for name, package in PACKAGES.items():
        table.peer_of(runs, name, bench.peers.why_not(package))
    table.target("holdfast lock x -- true", "<=", 1.0, "flock f true", row="lock", label="lock x -- true")
    yield table


def wrappers(bench, place, link, command):
    """{name: the words that run the command under a lock}, of those that are here."""
    found = {
        "floor": [bench.floor, "lock", place / "floor", command],
        "ours": [bench.holdfast, "lock", "bench", "--", command],
        "read": [bench.read_from_disk, "lock", "bench", "--", command],
        "as flock": [link, place / "as-flock", command],
        "flock f true": ["flock", place / "flock", command],
        "s6-setlock f true": [*bench.peers.command("s6-setlock"), place / "s6", command],
        "chpst -l f true": ["chpst", "-l", place / "runit", command],
        "dotlockfile -l f true": [*bench.peers.command("dotlockfile"), "-l", place / "dot", command],
        "lockfile f; true; rm f": ["sh", "-c", f"lockfile {place}/mail && {command} && rm -f {place}/mail"],
    }
    return {name: argv for name, argv in found.items() if name not in PACKAGES or bench.peers.has(PACKAGES[name])}


def flock_link(bench, place):
    link = place / "bin" / "flock"
    link.parent.mkdir()
    link.symlink_to(bench.holdfast)
    return link
