# SPDX-License-Identifier: Apache-2.0
"""What the figures were taken on, without a name or a path of it."""

import os
import pathlib
import re
import subprocess


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


def describe(directory):
    memory = int(field("/proc/meminfo", "MemTotal").split()[0])
    virtual = "hypervisor" in field("/proc/cpuinfo", "flags").split()
    compiler = re.sub(r"\([^)]*\) ?", "", lines_of(["c++", "--version"])[0])
    return {
        "kernel": re.match(r"[0-9.]+", os.uname().release).group().rstrip("."),
        "processor": field("/proc/cpuinfo", "model name"),
        "processors": os.cpu_count(),
        "virtual": virtual,
        "memory_gib": round(memory / 1048576, 1),
        "file_system": file_system(directory),
        "compiler": compiler,
    }


def file_system(directory):
    """Its type, and the options that matter for what is measured."""
    options = lines_of(["findmnt", "-n", "-o", "FSTYPE,OPTIONS", "-T", str(directory)])[0].split()
    telling = [option for option in options[-1].split(",") if option in TELLING or option.startswith("data=")]
    return options[0] + (f" ({', '.join(telling)})" if telling else "")


def load():
    return round(os.getloadavg()[0], 2)
