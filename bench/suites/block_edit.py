# SPDX-License-Identifier: Apache-2.0
"""A marked block inside a text file of 10 MB is changed, twice in turn so that each edit is one; everything around it must
stay, byte for byte. The floor reads the file, writes it beside and renames."""

from frame import measure
from frame.result import Comparison


def run(bench):
    lines = bench.pick(160000, 16000)
    with bench.place() as place:
        text = "".join(f"line {i:06d} of a file that somebody wrote by hand, and keeps\n" for i in range(lines))
        for name in ("ours", "sed", "python", "floor"):
            (place / name).write_text(text)
        put = f"| {bench.holdfast} block put --durability none {place}/ours --id bench --overwrite-edits"
        middle = lines // 2
        edit = (f"import os; p='{place}/python'; t=open(p).read(); a,b=('line {middle:06d} ', 'LINE {middle:06d} '); "
                "t=t.replace(a,b) if a in t else t.replace(b,a); open(p+'.n','w').write(t); os.replace(p+'.n',p)")
        runs = measure.commands(bench, bench.pick(20, 3), {
            "holdfast block put": ["sh", "-c", f"echo one {put}; echo two {put}"],
            "sed -i": ["sh", "-c", f"sed -i 's/^line {middle:06d} .*/one/' {place}/sed; "
                                   f"sed -i 's/^one/line {middle:06d} x/' {place}/sed"],
            "python: read, replace, os.replace": ["sh", "-c", f"for i in 1 2; do {bench.peers.python} -c \"{edit}\"; done"],
            "read, write, rename": ["sh", "-c", f"for i in 1 2; do {bench.floor} copy {place}/floor {place}/floor; done"],
        }, bench.pick(12, 3))
        after = (place / "ours").read_text()
        measure.expect(after.startswith(text) and "\ntwo\n" in after[len(text):] and after.count("holdfast bench") == 2,
                       "the block or what is around it is not as it must be")
    table = Comparison(f"two edits of a block, file of {len(text) / 1e6:.0f} MB", "us", about="Ours also hashes the file.")
    yield table.runs(runs, floor="read, write, rename").target("holdfast block put", "<=", 100e3)
