# SPDX-License-Identifier: Apache-2.0
"""A marker of a managed block was lost, doubled or turned round; the block is put twice, as by two runs."""

import itertools

from common import box
from common.verdict import DAMAGED, INTACT, SILENT, Cell, must_work
from peers import block
from peers.block import BEGIN, END

TITLE = "malformed markers"
DONE = ("a text file with a managed block has lost, doubled or exchanged marker lines; the block is put twice, as two "
        "configuration runs would")
DAMAGE = "a line of the user, outside the markers, is gone"
CONTESTANTS = block.ALL
VARIES = False
MOST = 4  # marker lines in a file


def arrangements():
    """Every sequence of up to four markers that is not in order: not none, and not one BEGIN and one END."""
    for length in range(1, MOST + 1):
        for markers in itertools.product((BEGIN, END), repeat=length):
            if markers != (BEGIN, END):
                yield markers


def document(markers, rng):
    """The user's lines around and between the markers. What stands behind a lost marker is the user's: nobody can say
    that it is not; only what a BEGIN and the next END enclose is the block's."""
    lines, users = [], []
    for place in range(len(markers) + 1):
        line = f"line {place} of the user {rng.getrandbits(32):08x}"
        enclosed = 0 < place < len(markers) and markers[place - 1] == BEGIN and markers[place] == END
        if enclosed:
            line = f"old rule {place}"
        else:
            users.append(line)
        lines.append(line)
        if place < len(markers):
            lines.append(markers[place])
    return "\n".join(lines) + "\n", users


def control(contestant, rng):
    """Markers in order: the block is replaced, and the user's lines stay."""
    with box.box() as scratch:
        text, users = document((BEGIN, END), rng)
        file, new = scratch / "file.conf", scratch / "block"
        file.write_text(text)
        new.write_text("new rule\n")
        ended = box.run(contestant.command(file, new), box.environment(scratch), cwd=scratch)
        left = file.read_text().splitlines()
        replaced = "new rule" in left and "old rule 1" not in left
        must_work(ended.claimed and replaced and not set(users) - set(left), ended)


def run(contestant, rng, rounds, quick):
    cell = Cell(counts={"rounds": 0, "refused": 0, "lines lost": 0})
    control(contestant, rng)
    chosen = list(arrangements())
    if quick:
        chosen = chosen[:8]
    for markers in chosen:
        with box.box() as scratch:
            env = box.environment(scratch)
            text, users = document(markers, rng)
            file, new = scratch / "file.conf", scratch / "block"
            file.write_text(text)
            new.write_text("new rule\n")
            codes = [box.run(contestant.command(file, new), env, cwd=scratch).code for _ in range(2)]
            left = file.read_text().splitlines()
            lost = [line for line in users if line not in left]
            cell.count("rounds")
            cell.count("refused", 1 if all(codes) else 0)
            cell.count("lines lost", len(lost))
            what = " ".join("BEGIN" if marker == BEGIN else "END" for marker in markers)
            if lost:
                cell.note(DAMAGED if any(codes) else SILENT,
                          f"{what}: {len(lost)} of {len(users)} lines of the user are gone")
            else:
                cell.note(INTACT)
    return cell
