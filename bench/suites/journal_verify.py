# SPDX-License-Identifier: Apache-2.0
"""Proving that a journal of 10 million events is what its writers wrote: each checksum, each number, the chain of hashes. The
peers do less: one hash over each file, or the parsing of each line. One flipped bit must be found, and where."""

import json

from frame import measure
from frame.result import Comparison
from suites.journal_query import SMALL, ask, segments


def run(bench):
    many = bench.pick(10 * SMALL, SMALL // 10)
    home = bench.journal(many)
    runs = measure.commands(bench, 3, {
        "holdfast journal verify": ask(bench, home, "verify"),
        "read of every byte": [bench.floor, "read", *segments(home)],
        "sha256sum of each file": ["sha256sum", *segments(home)],
    }, try_first=False)
    _, printed = measure.timed(ask(bench, home, "verify", "--json"))
    found = json.loads(printed)
    measure.expect(found["records"] >= many and not found["damaged"], "the journal does not verify")
    bench.drop_journals()
    notices_damage(bench)

    table = Comparison(f"verify {many} events", "us")
    yield table.runs(runs, floor="read of every byte")
    rate = Comparison("records verified", "/s", better="more")
    rate.ours("holdfast journal verify", [many / value * 1e6 for value in runs["holdfast journal verify"].values])
    yield rate.target("holdfast journal verify", ">=", 2e6)
    memory = Comparison("its memory", "KiB").ours("holdfast journal verify", [runs["holdfast journal verify"].peak_kib])
    yield memory.target("holdfast journal verify", "<=", 65536)


def notices_damage(bench):
    home = bench.journal(1000)
    segment = segments(home)[0]
    content = bytearray(segment.read_bytes())
    at = len(content) // 2
    content[at] ^= 1
    segment.write_bytes(content)
    _, printed = measure.timed(ask(bench, home, "verify", "--json"), ok=(65,))
    place = json.loads(printed)["damaged"][0]
    measure.expect(place["offset"] <= at < place["offset"] + place["bytes"], "the damage is not where it was done")
    bench.drop_journals()
