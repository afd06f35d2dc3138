# SPDX-License-Identifier: Apache-2.0
"""Two versions of a file, and what is left of them."""

import json
import shutil

from common.verdict import DAMAGED, INTACT, SILENT, STALE


def versions(rng, old_entries=300, new_entries=500):
    """An old and a new JSON document, as jq prints them, so that every contestant writes the same bytes."""
    return document(rng, "old", old_entries), document(rng, "new", new_entries)


def document(rng, name, entries):
    content = {"version": name, "entries": [f"{name} {rng.getrandbits(64):016x}" for _ in range(entries)]}
    return (json.dumps(content, indent=2) + "\n").encode()


def describe(is_now, old, new):
    if is_now is None:
        return "it cannot be read"
    if not is_now:
        return "it is empty"
    if is_now == old:
        return "it is the old version"
    if is_now == new:
        return "it is the new version"
    if not is_now.strip(b"\0"):
        return f"it is {len(is_now)} zero bytes"
    if new.startswith(is_now):
        return f"it is the first {len(is_now)} of {len(new)} bytes"
    return f"it is {len(is_now)} bytes of neither version"


def empty(directory):
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()


def spread(steps, most):
    """At most so many of them, evenly over the list, the first and the last included."""
    if len(steps) <= most:
        return list(steps)
    return [steps[round(i * (len(steps) - 1) / (most - 1))] for i in range(most)]


def judge(cell, is_now, old, new, claimed, when=""):
    """One round of a replacement: the whole new version, or the whole old one and no claim of success."""
    if is_now == new:
        cell.count("new")
        cell.note(INTACT)
    elif is_now == old:
        cell.count("old")
        cell.note(STALE if claimed else INTACT, when + "success was claimed, and it is the old version")
    else:
        cell.count("torn")
        cell.note(SILENT if claimed else DAMAGED, when + describe(is_now, old, new))
