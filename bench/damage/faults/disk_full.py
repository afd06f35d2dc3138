# SPDX-License-Identifier: Apache-2.0
"""The disk is full while a file is replaced."""

from common import box, contents, mounts
from common.verdict import Cell, must_work
from peers import replace

TITLE = "disk full"
DONE = ("a file is replaced by a larger one, on a file system (tmpfs) that has room for a part of it; how much, "
        "differs from round to round")
DAMAGE = "the file is neither the whole old nor the whole new version"
CONTESTANTS = replace.ALL
VARIES = False
AT_ONCE = 2
OLD, NEW = 300, 12000  # entries; about 9 kB and 380 kB
ROOM = 16 << 20  # bytes; enough


def run(contestant, rng, rounds, quick):
    cell = Cell()
    old, new = contents.versions(rng, OLD, NEW)
    with box.box() as scratch:
        env = box.environment(scratch)
        (scratch / "new.json").write_bytes(new)
        with mounts.small(scratch / "disk", ROOM) as disk:  # a control
            file, ended = replaced(contestant, disk, old, scratch / "new.json", env)
            must_work(ended.claimed and contestant.read(file) == new, ended)
        for _ in range(2 if quick else rounds):
            # The whole new version has no room, whatever was there before.
            with mounts.small(scratch / "disk", rng.randrange(2 * len(old), len(new) - len(old))) as disk:
                file, ended = replaced(contestant, disk, old, scratch / "new.json", env)
                cell.count("rounds")
                contents.judge(cell, contestant.read(file), old, new, ended.claimed)
    return cell


def replaced(contestant, disk, old, new, env):
    """The file, and how the contestant ended that was to replace it."""
    file = disk / ("file" + contestant.suffix)
    contestant.write(file, old)
    return file, box.run(contestant.command(file, new), env, cwd=disk)
