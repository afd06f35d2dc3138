# SPDX-License-Identifier: Apache-2.0
"""What the figures were taken of and on, without a name or a path of the machine."""

import os
import pathlib
import re
import subprocess
import time

TREE = pathlib.Path(__file__).resolve().parents[2]
WRITTEN_BY_A_RUN = (":!docs/benchmarks.md", ":!docs/benchmarks", ":!docs/damage.md", ":!bench/results")
TELLING = ("discard", "nobarrier", "noatime", "sync", "dirsync")


def lines_of(argv):
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    return done.stdout.strip().splitlines() or ["unknown"]


def field(path, name):
    for line in pathlib.Path(path).read_text().splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return "unknown"


def code(holdfast):
    """Which code is measured: what the program says of itself, and the revision of the tree that it was built from."""
    version = (lines_of([holdfast, "--version"])[0].split() + ["unknown"])[1]
    git = ["git", "-C", str(TREE)]
    revision = lines_of([*git, "rev-parse", "--short=10", "HEAD"])[0]
    changed = lines_of([*git, "status", "--porcelain", "--untracked-files=no", "--", ".", *WRITTEN_BY_A_RUN]) != ["unknown"]
    return {"version": version, "revision": revision + ("+changes" if changed else "")}


def describe(directory):
    memory = int(field("/proc/meminfo", "MemTotal").split()[0])
    virtual = "hypervisor" in field("/proc/cpuinfo", "flags").split()
    compiler = re.sub(r"\([^)]*\) ?", "", lines_of(["c++", "--version"])[0])
    return {
        "kernel": kernel(),
        "processor": field("/proc/cpuinfo", "model name"),
        "processors": os.cpu_count(),
        "virtual": virtual,
        "memory_gib": round(memory / 1048576, 1),
        "file_system": file_system(directory),
        "compiler": compiler,
    }


def kernel():
    return re.match(r"[0-9.]+", os.uname().release).group().rstrip(".")


def file_system(directory):
    """Its type, and the options that matter for what is measured."""
    options = lines_of(["findmnt", "-n", "-o", "FSTYPE,OPTIONS", "-T", str(directory)])[0].split()
    telling = [option for option in options[-1].split(",") if option in TELLING or option.startswith("data=")]
    return options[0] + (f" ({', '.join(telling)})" if telling else "")


def load():
    return round(os.getloadavg()[0], 2)


def wait_until_idle(below, seconds):
    """A build that has just ended is still in the average; no longer than so many seconds."""
    until = time.monotonic() + seconds
    while load() >= below and time.monotonic() < until:
        time.sleep(1)
