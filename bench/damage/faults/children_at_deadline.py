# SPDX-License-Identifier: Apache-2.0
"""A deadline fires while the work has children that left it: double-forked and daemonised ones."""

import os
import pathlib
import time

from common import box
from common.verdict import DAMAGED, INTACT, SILENT, Cell
from frame import processes
from peers import deadline

TITLE = "children at the deadline"
DONE = ("work with a plain child, a double-forked one and a daemon (fork, setsid, fork) is to be over at its deadline; "
        "who has no deadline is stopped then, by its own command")
DAMAGE = "one of the four processes is still alive half a second after the contestant has ended"
SETTLE = 0.5  # a process that got its signal has died by then
CONTESTANTS = deadline.ALL
VARIES = False
AT_ONCE = 3  # contestants; mostly they wait
KINDS = {"dmg-main", "dmg-plain", "dmg-dfork", "dmg-daemon"}


def members(token):
    """{(pid, start): kind} of the work that lives: whoever has the token in its environment, in any namespace."""
    found = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        here = pathlib.Path("/proc") / entry
        try:
            kind = (here / "comm").read_text().strip()
            if kind in KINDS and token in (here / "environ").read_bytes():
                start = processes.start_time(int(entry))
                if start is not None and processes.alive(int(entry), start):
                    found[int(entry), start] = kind
        except OSError:
            continue
    return found


def run(contestant, rng, rounds, quick):
    cell = Cell(counts={"rounds": 0, "processes": 0, "survivors": 0})
    for _ in range(1 if quick else max(2, rounds // 5)):
        with box.box() as scratch:
            one_round(contestant(), cell, scratch, f"DAMAGE_TREE={rng.getrandbits(64):016x}")
    return cell


def one_round(contestant, cell, scratch, token):
    env = box.environment(scratch)
    env.update([token.split("=")])
    token = token.encode()
    place = scratch / "work"
    place.mkdir()
    contestant.start([box.PYTHON, box.HERE / "peers" / "tree.py"], place, env)
    until = time.monotonic() + (10 if isinstance(contestant, deadline.Service) else deadline.DEADLINE)
    all_of_it = {}
    while set(all_of_it.values()) != KINDS and time.monotonic() < until:
        all_of_it |= members(token)
    code, claimed = contestant.stop(place, env)
    until = time.monotonic() + SETTLE
    left = members(token)
    while left and time.monotonic() < until:
        left = members(token)
    try:
        if set(all_of_it.values()) != KINDS:
            raise RuntimeError("the work did not begin in time")
        cell.count("rounds")
        cell.count("processes", len(all_of_it))
        cell.count("survivors", len(left))
        if left:
            kinds = ", ".join(sorted({kind.removeprefix("dmg-") for kind in left.values()}))
            cell.note(SILENT if claimed else DAMAGED, f"alive after it had ended with {code}: {kinds}")
        else:
            cell.note(INTACT)
    finally:
        contestant.end(place, env)
        for pid, start in members(token):
            processes.end(pid, start)
