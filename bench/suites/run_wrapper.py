# SPDX-License-Identifier: Apache-2.0
"""What it costs to be supervised: a command that ends at once, under holdfast and under other wrappers. Only holdfast and
a pid namespace (bwrap) end the whole tree at a deadline. The floor is spawn and wait."""

import os

from frame import measure
from frame.result import Comparison

OURS = ("holdfast run -- true", "the same, read from the disk", "holdfast run --timeout 10 -- true",
        "holdfast run --name short -- true")
PACKAGES = {"timeout 10 true": "coreutils", "tini -s -- true": "tini", "bwrap --unshare-pid true": "bubblewrap",
            "tsp -fn true": "task-spooler"}


def run(bench):
    rounds, seconds = bench.pick((600, 25), (30, 4))
    with bench.place() as place:
        os.environ["TS_SOCKET"] = str(place / "tsp")
        marker = measure.Marker(place)
        try:
            runs = measure.commands(bench, rounds, wrappers(bench, "true"), seconds)
            for name, argv in wrappers(bench, marker.command).items():
                wrong = marker.why_wrong(argv)
                runs[name].check(wrong is None, wrong)
        finally:
            if bench.peers.has("task-spooler"):
                measure.timed(["tsp", "-K"], ok=range(256))
        measure.timed([bench.holdfast, "run", "--", "sh", "-c", "exit 7"], ok=(7,))  # the status comes through

    table = Comparison("around `true`", "us", about="A named run writes two synced records.")
    for name in OURS:
        table.ours(name, runs[name].values, wrong=runs[name].wrong)
    table.floor("spawn, wait", runs["floor"].values, wrong=runs["floor"].wrong)
    for name, package in PACKAGES.items():
        table.peer_of(runs, name, bench.peers.why_not(package))
    table.target("holdfast run -- true", "<=", 2.0, "timeout 10 true", row="run", label="run -- true")
    yield table


def wrappers(bench, command):
    """{name: the words that run the command under supervision}, of those that are here."""
    ours = ([bench.holdfast, "run"], [bench.read_from_disk, "run"], [bench.holdfast, "run", "--timeout", "10"],
            [bench.holdfast, "run", "--name", "short"])
    found = {name: [*words, "--", command] for name, words in zip(OURS, ours)}
    found["floor"] = [bench.floor, "run", command]
    found["timeout 10 true"] = ["timeout", "10", command]
    found["tini -s -- true"] = ["tini", "-s", "--", command]
    found["bwrap --unshare-pid true"] = ["bwrap", "--dev-bind", "/", "/", "--unshare-pid", "--die-with-parent", command]
    found["tsp -fn true"] = ["tsp", "-fn", command]
    absent = {name for name, package in PACKAGES.items() if package != "coreutils" and not bench.peers.has(package)}
    return {name: argv for name, argv in found.items() if name not in absent}
