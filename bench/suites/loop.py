# SPDX-License-Identifier: Apache-2.0
"""A pass of a loop over 10 000 items of which none is due: half are done, half wait for their next attempt. The start of the
program and the source (`cat`) are included; the floor is `cat` of the same items."""

import json
import os
import pathlib
import subprocess

from frame import measure
from frame.result import Comparison

LOOP = """[loop]
source = ["cat", "{items}"]
run = ["false"]
backoff = ["10h"]
"""


def run(bench):
    count = bench.pick(10000, 1000)
    with bench.place() as place:
        loop = ready(bench, place, count)
        runs = measure.commands(bench, bench.pick(30, 5), {"ours": [bench.read_from_disk, "loop", loop, "--once", "-q"],
                                                           "cat": ["cat", place / "items"]}, bench.pick(10, 2))
        measure.expect(still_waiting(bench, place) == count // 2, "the items are not as they were")
    table = Comparison(f"a pass over {count} items, none due", "us").ours("holdfast loop --once", runs["ours"].values)
    yield table.floor("cat of the items", runs["cat"].values).target("holdfast loop --once", "<=", 200e3)
    memory = Comparison("its peak of memory", "KiB").ours("holdfast loop --once", [runs["ours"].peak_kib])
    yield memory.target("holdfast loop --once", "<=", 65536)


def still_waiting(bench, place):
    """How many items of the loop in that place wait for their next attempt."""
    _, printed = measure.timed([bench.holdfast, "--home", place / "home", "loop", "status", place / "bench.toml", "--json"])
    return json.loads(printed)["counts"].get("waiting", 0)


def ready(bench, place, count):
    """A loop of `count` items that was there before: its log is made from one line of its own."""
    items, loop = place / "items", place / "bench.toml"
    loop.write_text(LOOP.format(items=items))
    items.write_text('{"id":"0"}\n')
    measure.timed([bench.holdfast, "loop", loop, "--once", "-q"], ok=range(256))
    log = pathlib.Path(os.environ["HOLDFAST_HOME"], "loops", "bench", "items.log")
    line = [line for line in log.read_text().splitlines() if '"state":"waiting"' in line][-1]
    made = subprocess.run([bench.drivers / "hf_bench_loop_make", str(count)], input=line + "\n", capture_output=True, text=True,
                          check=True)
    log.write_text(made.stdout)
    items.write_text("".join(f'{{"id":"{i}","title":"fix what is wrong with number {i}","labels":["ready","agent"],'
                             f'"author":{{"login":"ann"}}}}\n' for i in range(count)))
    return loop
