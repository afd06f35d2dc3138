# SPDX-License-Identifier: Apache-2.0
"""How long a start takes: scripts call holdfast many times, so it must start faster than the tool that it replaces. flock
reads the locale that it is told to use: a user's shell has a UTF-8 locale, cron has none.
The program is also shown as it is after a reboot: a file that was just written lies in the page cache in large pieces,
which newer kernels map at one fault, and one that was read from the disk does not."""

import os
import subprocess

from frame import measure
from frame.result import Comparison


def run(bench):
    rounds, seconds = bench.pick((800, 8), (40, 2))
    with bench.place() as place:
        for locale in ("C.UTF-8", "C"):
            os.environ["LC_ALL"] = locale
            runs = measure.commands(bench, rounds, {
                "holdfast --version": [bench.holdfast, "--version"],
                "the same, read from the disk": [bench.read_from_disk, "--version"],
                "flock --version": ["flock", "--version"],
                "empty static program": [empty(place)]}, seconds)
            del os.environ["LC_ALL"]
            table = Comparison(f"a start, LC_ALL={locale}", "us")
            for name in ("holdfast --version", "the same, read from the disk"):
                table.ours(name, runs[name].values)
            table.floor("empty static program", runs["empty static program"].values)
            table.peer("flock --version", runs["flock --version"].values)
            if locale == "C.UTF-8":
                table.target("holdfast --version", "<=", 0.75, "flock --version")
            yield table


def empty(place):
    source, program = place / "empty.c", place / "empty"
    if not program.exists():
        source.write_text("int main(void) { return 0; }\n")
        subprocess.run(["cc", "-O2", "-static", "-o", program, source], check=True)
    return program
