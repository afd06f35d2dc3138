# SPDX-License-Identifier: Apache-2.0
"""What it costs to be supervised: a command that ends at once, under holdfast and under other wrappers. Only holdfast and
a pid namespace (bwrap) end the whole tree at a deadline. The floor is spawn and wait."""

import os

from frame import measure
from frame.result import Comparison


def run(bench):
    rounds, seconds = bench.pick((600, 25), (30, 4))
    with bench.place() as place:
        os.environ["TS_SOCKET"] = str(place / "tsp")
        peers = {
            "timeout 10 true": ("coreutils", ["timeout", "10", "true"]),
            "tini -s -- true": ("tini", ["tini", "-s", "--", "true"]),
            "bwrap --unshare-pid true": ("bubblewrap", ["bwrap", "--dev-bind", "/", "/", "--unshare-pid", "--die-with-parent",
                                                        "true"]),
            "tsp -fn true": ("task-spooler", ["tsp", "-fn", "true"]),
        }
        ours = {
            "holdfast run -- true": [bench.holdfast, "run", "--", "true"],
            "the same, read from the disk": [bench.read_from_disk, "run", "--", "true"],
            "holdfast run --timeout 10 -- true": [bench.holdfast, "run", "--timeout", "10", "--", "true"],
            "holdfast run --name short -- true": [bench.holdfast, "run", "--name", "short", "--", "true"],
        }
        present = {name: argv for name, (package, argv) in peers.items() if package == "coreutils" or bench.peers.has(package)}
        try:
            runs = measure.commands(bench, rounds, {**ours, "floor": [bench.floor, "run", "true"], **present}, seconds)
        finally:
            if "tsp -fn true" in present:
                measure.timed(["tsp", "-K"], ok=range(256))
        measure.expect(measure.timed([bench.holdfast, "run", "--", "sh", "-c", "exit 7"], ok=(7,)), "the status is lost")

    table = Comparison("around `true`", "us", about="A named run writes two synced records.", plot="bars")
    for name in ours:
        table.ours(name, runs[name].values, wrong=runs[name].wrong)
    table.floor("spawn, wait", runs["floor"].values)
    for name, (package, _) in peers.items():
        if name in runs:
            table.peer(name, runs[name].values, wrong=runs[name].wrong)
        else:
            table.absent(name, bench.peers.why_not(package))
    table.target("holdfast run -- true", "<=", 2.0, "timeout 10 true", row="run", label="run -- true")
    yield table
