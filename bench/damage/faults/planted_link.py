# SPDX-License-Identifier: Apache-2.0
"""Somebody planted a link where a file is going to be written.

Two places are tried: the file itself, or the lock file; and, where a contestant's own documentation or script names it,
its temporary file.
"""

from common import box, contents
from common.verdict import DAMAGED, INTACT, SILENT, Cell, must_work
from peers import both, lock, replace

TITLE = "planted link"
DONE = ("the file that is replaced, the temporary file of a script, or the lock file is a symbolic link to somebody "
        "else's file when the contestant comes")
DAMAGE = "the other file is changed"
CONTESTANTS = both.together([one for one in replace.ALL if not isinstance(one, replace.Sqlite)], lock.ALL)
VARIES = False
AT_ONCE = 4  # contestants; some of them wait


def places(part, file):
    """Where a link is planted: for a lock its file; for a file itself, and the name that a script gives away."""
    if isinstance(part, lock.Locker):
        return [part.lock_file(file)]
    if isinstance(part, replace.MoveFixed):
        return [file, file.with_name(file.name + ".tmp")]
    return [file]


def run(contestant, rng, rounds, quick):
    cell = Cell()
    old, new = contents.versions(rng)
    for part in contestant.parts:
        with box.box() as scratch:
            env = box.environment(scratch)
            (scratch / "new.json").write_bytes(new)
            (scratch / "elsewhere").mkdir()
            work, victim = scratch / "work", scratch / "elsewhere" / "victim"
            file = work / ("file" + getattr(part, "suffix", ""))
            if isinstance(part, lock.Locker):
                argv = part.command(file, ["true"], 1 if quick else 3)
            else:
                argv = part.command(file, scratch / "new.json")
            contents.empty(work)  # a control: the same without a link
            if not isinstance(part, lock.Locker):
                file.write_bytes(old)
            ended = box.run(argv, env, 20, cwd=work)
            must_work(ended.claimed and (isinstance(part, lock.Locker) or file.read_bytes() == new), ended)
            for place in places(part, file):
                contents.empty(work)
                if place != file and not isinstance(part, lock.Locker):
                    file.write_bytes(old)
                victim.write_bytes(old)
                place.symlink_to(victim)
                ended = box.run(argv, env, 20, cwd=work)
                cell.count("links")
                if victim.read_bytes() == old:
                    cell.count("refused" if ended.code else "left alone")
                    cell.note(INTACT)
                else:
                    cell.count("changed")
                    what = "the lock file" if isinstance(part, lock.Locker) else \
                        "the file" if place == file else "the temporary file"
                    cell.note(SILENT if ended.claimed else DAMAGED,
                              f"it wrote through {what} into the other one")
    return cell
