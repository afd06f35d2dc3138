# SPDX-License-Identifier: Apache-2.0
"""A marked block at the end of a text file of 10 MB is changed, twice in turn so that each edit is one; everything around it
must stay, byte for byte. The peers are the usual lines of scripts: they trust the markers, and holdfast proves first that
they are in order and that nobody edited the block. The floor only copies the file beside, in the kernel, and renames."""

from frame import measure
from frame.result import Comparison

BEGIN, END = "# BEGIN bench", "# END bench"
PYTHON = ("import os, sys; p, new = sys.argv[1:]; t = open(p).read(); "
          f"b = t.index('{BEGIN}\\n') + {len(BEGIN) + 1}; e = t.index('{END}\\n', b); "
          "open(p + '.n', 'w').write(t[:b] + new + '\\n' + t[e:]); os.replace(p + '.n', p)")


def run(bench):
    lines = bench.pick(160000, 16000)
    with bench.place() as place:
        text = "".join(f"line {i:06d} of a file that somebody wrote by hand, and keeps\n" for i in range(lines))
        (place / "ours").write_text(text)
        (place / "floor").write_text(text)
        for name in ("sed", "python"):
            (place / name).write_text(f"{text}{BEGIN}\nzero\n{END}\n")
        put = f"| {bench.holdfast} block put --durability none {place}/ours --id bench --overwrite-edits"
        sed = f"sed -i -e '/^{BEGIN}$/,/^{END}$/{{//!d}}' -e '/^{BEGIN}$/a WORD' {place}/sed"
        python = f'{bench.peers.python} -c "{PYTHON}" {place}/python WORD'

        def twice(line):
            return ["sh", "-c", line.replace("WORD", "one") + "; " + line.replace("WORD", "two")]

        runs = measure.commands(bench, bench.pick(20, 3), {
            "holdfast block put": twice(f"echo WORD {put}"),
            "sed -i, from marker to marker": twice(sed),
            "python: read, replace, os.replace": twice(python),
            "copy_file_range, rename": twice(f"{bench.floor} copy {place}/floor {place}/floor"),
        }, bench.pick(12, 3))
        after = (place / "ours").read_text()
        good = {"holdfast block put": after.startswith(text) and "\ntwo\n" in after[len(text):]
                and after.count("holdfast bench") == 2,
                "copy_file_range, rename": measure.holds(place / "floor", text.encode())}
        for name, done in runs.items():
            edited = f"{text}{BEGIN}\ntwo\n{END}\n".encode()
            done.check(good[name] if name in good else measure.holds(place / name.split()[0].strip(":"), edited),
                       "the block or what is around it is not as it must be")
    table = Comparison(f"two edits of a block, file of {len(text) / 1e6:.0f} MB", "us", about="Ours also hashes the file.")
    yield table.runs(runs, floor="copy_file_range, rename").target("holdfast block put", "<=", 100e3)
