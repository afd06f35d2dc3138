# SPDX-License-Identifier: Apache-2.0
"""How long a step takes to decide that nothing is to be done, the start of the program included; a thousand steps lie in the
same home. The floor is the start alone."""

import os
import pathlib

from frame import measure
from frame.result import Comparison

KEYS = 1000


def run(bench):
    with bench.place() as place:
        text = place / "text"
        text.write_text("text\n")
        measure.timed([bench.holdfast, "once", "k", "--", "true"])
        measure.timed([bench.holdfast, "attempt", "k", "--max", "3", "--", "true"])
        with open(text, "rb") as given:
            measure.timed([bench.holdfast, "notify", "k", "--", "true"], stdin=given)
        once = pathlib.Path(os.environ["HOLDFAST_HOME"], "once")
        record = (once / "once%3Ak.json").read_text()
        for i in range(KEYS):
            (once / f"once%3Ak{i}.json").write_text(record.replace('"key":"k"', f'"key":"k{i}"'))
        runs = measure.commands(bench, bench.pick(300, 20), {
            "holdfast --version": [bench.holdfast, "--version"],
            "once": [bench.holdfast, "once", "-q", "k", "--", "touch", place / "ran"],
            "attempt": [bench.holdfast, "attempt", "-q", "k", "--max", "3", "--", "touch", place / "ran"],
            "notify": [bench.holdfast, "notify", "-q", "k", "--", "touch", place / "ran"],
        }, bench.pick(8, 2), stdin=text)
        measure.expect(not (place / "ran").exists(), "something was done again")
    table = Comparison("a step decides that nothing is to be done", "us")
    for name in ("once", "attempt", "notify"):
        table.ours(f"holdfast {name}", runs[name].values, wrong=runs[name].wrong).target(f"holdfast {name}", "<=", 2000)
    yield table.floor("holdfast --version", runs["holdfast --version"].values)
