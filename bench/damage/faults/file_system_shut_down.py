# SPDX-License-Identifier: Apache-2.0
"""The file system is shut down right after a replacement was acknowledged.

Half of the cuts come at once: then a file that nobody synced is mostly as it was, because nothing of the change was on
the disk. The other half come after another program has synced a file of its own, which takes along what the file
system had in its log: then names and sizes may be new, and the data that nobody synced is not there.
"""

import os

from common import box, contents, mounts
from common.verdict import Cell, must_work
from peers import replace

TITLE = "file system shut down"
DONE = ("a file is replaced; as soon as that is acknowledged, the file system (ext4 and xfs in turn, on a loop device) "
        "is shut down without its log being written out, as by a power cut, and mounted again; in half of the rounds "
        "another program syncs a file of its own before")
DAMAGE = ("the file is neither the whole old nor the whole new version; the whole old one, although the new one was "
          "acknowledged, is stale but valid")
CONTESTANTS = replace.ALL
VARIES = False
AT_ONCE = 2


def run(contestant, rng, rounds, quick):
    cell = Cell()
    old, new = contents.versions(rng)
    with box.box() as scratch:
        env = box.environment(scratch)
        (scratch / "new.json").write_bytes(new)
        for kind in ("ext4", "xfs"):
            disk = mounts.Disk(scratch / "image", scratch / "disk", kind)
            try:
                for number in range(2 if quick else max(2, rounds // 5)):
                    file = scratch / "disk" / str(number) / ("file" + contestant.suffix)
                    file.parent.mkdir()
                    contestant.write(file, old)
                    mounts.call("sync", "-f", file)
                    ended = box.run(contestant.command(file, scratch / "new.json"), env, cwd=file.parent)
                    must_work(ended.claimed, ended)
                    if number % 2:
                        sync_another(scratch / "disk" / f"{number}.other")
                    disk.cut_power()
                    cell.count("cuts")
                    contents.judge(cell, contestant.read(file), old, new, True, f"{kind}: ")
            finally:
                disk.unmount()
    return cell


def sync_another(path):
    with open(path, "wb") as file:
        file.write(b"another program's")
        file.flush()
        os.fsync(file.fileno())
