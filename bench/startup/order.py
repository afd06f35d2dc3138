#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/cli/frame/startup_order.ld: the functions that the main commands run come first in the program, one behind the
other in the order of their first run. Else they lie in seventy places of fourteen megabytes, and each place costs a page
fault at every start (docs/design/003-command-frame.md has the figures).

    ninja -C build/release holdfast && python3 bench/startup/order.py

It runs each command one instruction after the other (steps.c, x86-64), and finds in the linker's map which piece of which
object that was. The list is a hint: a name in it that is gone is ignored, a function that is not in it lies behind. So it is
written anew when much of it is gone (tests/cli/frame/startup_order.sh), not with every change.
"""

import bisect
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "release"
SCRIPT = ROOT / "src" / "cli" / "frame" / "startup_order.ld"
# The main ones first; each adds what those before it do not run.
COMMANDS = (
    "lock x -- true",
    "run --name once -- true",
    "write made -- echo content",
    "locks --json",
    "ps --json",
)
SHORTEST = 24  # of a pattern that ends with *


def main():
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        steps = scratch / "steps"
        subprocess.run(["cc", "-O2", "-o", steps, pathlib.Path(__file__).with_name("steps.c")], check=True)
        program, pieces = link_with_map(scratch)
        used = []
        for line in COMMANDS:
            run = [program, *line.split()]
            in_place = {"cwd": scratch, "env": environment(scratch), "stdin": subprocess.DEVNULL,
                        "stdout": subprocess.DEVNULL, "check": True}
            subprocess.run(run, **in_place)  # what it does in a home that is there is what counts
            subprocess.run([steps, scratch / "addresses", *run], **in_place)
            before = len(used)
            known = set(used)
            for address in (scratch / "addresses").read_text().split():
                piece = pieces.at(int(address, 16))
                if piece is not None and piece not in known:
                    known.add(piece)
                    used.append(piece)
            print(f"{line:28} {len(used) - before:5} more")
    patterns = pieces.patterns(used)
    total = sum(pieces.size(piece) for piece in used)
    SCRIPT.write_text(HEAD.format(total=total) + "".join(f"    {pattern}\n" for pattern in patterns) + TAIL)
    print(f"{SCRIPT.relative_to(ROOT)}: {len(used)} functions, {total} bytes, {len(patterns)} patterns")


HEAD = """/* SPDX-License-Identifier: Apache-2.0
 *
 * What the main commands run, in the order of their first run. Written by bench/startup/order.py, which says why.
 * bytes: {total} */
SECTIONS
{{
  .text.startup_order :
  {{
"""
TAIL = """  }
}
INSERT BEFORE .text;
"""


def environment(scratch):
    return {"HOLDFAST_HOME": str(scratch / "home"), "PATH": "/usr/bin:/bin", "HOME": str(scratch)}


def link_with_map(scratch):
    """The program, linked once more where its map is written, too."""
    listed = subprocess.run(["ninja", "-t", "commands", "holdfast"], cwd=BUILD, check=True, stdout=subprocess.PIPE, text=True)
    link = listed.stdout.splitlines()[-1]
    program, linker_map = scratch / "holdfast", scratch / "map"
    assert " -o holdfast " in link, link
    link = link.replace(" -o holdfast ", f" -o {program} -Wl,-Map={linker_map} ")
    subprocess.run(link, shell=True, cwd=BUILD, check=True)
    return program, Pieces(linker_map.read_text())


class Pieces:
    """The pieces of code that the linker put together: each function of ours, each object of other libraries."""

    LINE = re.compile(r"^ (\.text\S*)\s+0x([0-9a-f]+)\s+0x([0-9a-f]+)\s+(\S.*)$")
    LONG_NAME = re.compile(r"^ (\.text\S*)$")
    REST = re.compile(r"^\s+0x([0-9a-f]+)\s+0x([0-9a-f]+)\s+(\S.*)$")

    def __init__(self, text):
        self.found = []  # address, size, section, file
        name = None
        for line in text[text.index("Linker script and memory map"):].splitlines():
            if match := self.LINE.match(line):
                self.add(match[1], *match.groups()[1:])
            elif match := self.LONG_NAME.match(line):
                name = match[1]
                continue
            elif name and (match := self.REST.match(line)):
                self.add(name, *match.groups())
            name = None
        self.found.sort()
        self.starts = [piece[0] for piece in self.found]
        self.homes = {}  # of each section name, the files that have one
        for _, _, section, file in self.found:
            self.homes.setdefault(section, set()).add(file)
        self.names = sorted(self.homes)

    def add(self, section, address, size, file):
        if int(address, 16) and int(size, 16):
            self.found.append((int(address, 16), int(size, 16), section, file.strip()))

    def at(self, address):
        index = bisect.bisect_right(self.starts, address) - 1
        if index < 0:
            return None
        start, size, _, _ = self.found[index]
        return index if address < start + size else None

    def size(self, piece):
        return self.found[piece][1]

    def patterns(self, used):
        """One for each, as short as it can be without catching what is not used."""
        wanted = {self.found[piece][2] for piece in used if len(self.homes[self.found[piece][2]]) == 1}
        result = {}
        for piece in used:
            _, _, section, file = self.found[piece]
            result[f"*({self.shortened(section, wanted)})" if section in wanted else f"{within(file)}({section})"] = None
        return list(result)

    def shortened(self, section, wanted):
        for length in range(SHORTEST, len(section)):
            prefix = section[:length]
            first = bisect.bisect_left(self.names, prefix)
            last = bisect.bisect_left(self.names, prefix + "\x7f")
            if all(name in wanted for name in self.names[first:last]):
                return prefix + "*"
        return section


def within(file):
    match = re.search(r"([^/]+\.a)\((.+)\)$", file)
    return f"*{match[1]}:{match[2]}" if match else f"*{file.rsplit('/', 1)[-1]}"


if __name__ == "__main__":
    main()
