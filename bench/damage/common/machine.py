# SPDX-License-Identifier: Apache-2.0
"""What is installed, and on what it ran: without the name of the machine and without paths."""

import functools
import json
import os
import pathlib
import shutil
import subprocess

from common import box

PACKAGES = pathlib.Path(box.HERE / "packages.txt")
MODULES = pathlib.Path(box.HERE / "npm.txt")


@functools.cache
def package_version(name):
    done = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Abbrev} ${Version}", name], capture_output=True,
                          text=True, check=False)
    status, _, version = done.stdout.partition(" ")
    return version.strip() if status == "ii" else None


def module_version(name):
    try:
        return json.loads((pathlib.Path(box.node_modules()) / name / "package.json").read_text())["version"]
    except (OSError, ValueError):
        return None


def lacks(contestant):
    """What a contestant needs and is not here, or None. A need is a program, or `python3-…`, a package."""
    for need in getattr(contestant, "needs", ()):
        if not (package_version(need) if need.startswith("python3-") else shutil.which(need)):
            return need
    for module in getattr(contestant, "modules", ()):
        if not module_version(module):
            return module
    return None


def describe():
    """Facts for the head of the document: a list of (name, value)."""
    facts = [("kernel", os.uname().release.split("-")[0]), ("processors", str(os.cpu_count())),
             ("system", system()), ("scratch file system", file_system())]
    version = subprocess.run([box.holdfast(), "--version"], capture_output=True, text=True, check=False).stdout.split()
    facts.append(("holdfast", version[1] if len(version) > 1 else "?"))
    for name in PACKAGES.read_text().split():
        facts.append((name, node_version(name) or package_version(name) or "not installed"))
    for line in MODULES.read_text().split():
        name = line.rpartition("@")[0]
        facts.append((f"{name} (npm)", module_version(name) or "not installed"))
    return facts


def node_version(name):
    """nodejs and npm may come from elsewhere than Debian."""
    program = {"nodejs": "node", "npm": "npm"}.get(name)
    if not program or not shutil.which(program):
        return None
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.strip().lstrip("v")


def system():
    for line in pathlib.Path("/etc/os-release").read_text().splitlines():
        if line.startswith("PRETTY_NAME="):
            return line.partition("=")[2].strip('"')
    return "?"


def file_system():
    with box.box() as scratch:
        done = subprocess.run(["stat", "-f", "-c", "%T", str(scratch)], capture_output=True, text=True, check=False)
    return done.stdout.strip().replace("ext2/ext3", "ext4")
