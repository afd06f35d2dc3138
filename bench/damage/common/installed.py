# SPDX-License-Identifier: Apache-2.0
"""Which contestants are here, unpacked (frame/peers.py) or installed; and on what it ran."""

import functools
import os
import pathlib
import shutil

from common import box
from frame import machine, peers

TOOLS = ("coreutils", "dpkg", "e2fsprogs", "jq", "procps", "strace", "xfsprogs")  # of Debian, that faults are made with


@functools.cache
def version(name):
    """Of a Debian package or a module of npm, or None."""
    return box.PEERS.version(name)


def lacks(contestant):
    """What a contestant needs and is not here, or None. A need is a program, or `python3-…`, a package."""
    for need in getattr(contestant, "needs", ()):
        if not (version(need) if need.startswith("python3-") else shutil.which(need, path=box.PATH)):
            return need
    for module in getattr(contestant, "modules", ()):
        if not version(module):
            return module
    return None


def describe():
    """Facts for the head of the document: a list of (name, value)."""
    code = machine.code(box.holdfast())
    facts = [("kernel", machine.kernel()), ("processors", str(os.cpu_count())), ("system", system()),
             ("scratch file system", scratch_file_system()),
             ("holdfast", f"{code['version']}, revision {code['revision']}")]
    facts += [(name, version(name) or "not installed") for name in sorted({*TOOLS, *peers.DEBIAN})]
    facts.append(("node", (machine.lines_of(["node", "--version"])[0] if shutil.which("node") else "not installed").lstrip("v")))
    return facts + [(f"{name} (npm)", version(name) or "not installed") for name in sorted(peers.NPM)]


def system():
    for line in pathlib.Path("/etc/os-release").read_text().splitlines():
        if line.startswith("PRETTY_NAME="):
            return line.partition("=")[2].strip('"')
    return "?"


def scratch_file_system():
    with box.box() as scratch:
        return machine.file_system(scratch)
