# SPDX-License-Identifier: Apache-2.0
"""The holder of a lock is stopped past its lease, and goes on afterwards."""

import concurrent.futures
import signal
import time

from common import box, processes
from common.verdict import DAMAGED, INTACT, SILENT, STALE, Cell, not_run
from peers import lock

TITLE = "holder stopped past its lease"
DONE = ("the holder of a lock is stopped (SIGSTOP, with all that it started) for longer than its lease, or its age "
        "limit, lasts; another one takes the lock and writes; the first goes on and writes, too")
DAMAGE = ("the late write is there instead of the other's; that nobody gets the lock as long as the holder is "
          "stopped is stale but valid")
VARIES = True
AT_ONCE = 6  # contestants; mostly they wait
LATE = box.HERE / "peers" / "late.sh"
FOREVER = 1e9


class Lease:
    """A lock of `lock.py` with the bound on silence that it offers; `seconds` is how long that is."""

    seconds = FOREVER

    def __init__(self, inner):
        self.name, self.needs, self.modules, self.inner = inner.name, inner.needs, inner.modules, inner

    def holder(self, path, argv):
        return self.inner.command(path, argv, 5)

    def contender(self, path, argv):
        return self.inner.command(path, argv, 2)


class HoldfastLease(Lease):
    seconds = 2

    def holder(self, path, argv):
        return [box.holdfast(), "lock", path.name, "--ttl", "2s", "--", *argv]

    def contender(self, path, argv):
        return [box.holdfast(), "lock", path.name, "--on-expired", "take", "-w", "20s", "--", *argv]


class ProcmailLease(Lease):
    seconds = 22  # its age limit, and the suspension afterwards

    def holder(self, path, argv):
        return self.contender(path, argv)

    def contender(self, path, argv):
        return ["sh", "-c", self.inner.script.replace("-l 300", "-l 5"), "sh", path, "30", *argv]


class ProperLease(Lease):
    seconds = 11  # its default

    def contender(self, path, argv):
        return self.inner.command(path, argv, 30)


KINDS = {lock.Holdfast: HoldfastLease, lock.Procmail: ProcmailLease, lock.ProperLockfile: ProperLease}
CONTESTANTS = [KINDS.get(type(one), Lease)(one) for one in lock.ALL]


def run(contestant, rng, rounds, quick):
    if quick and FOREVER > contestant.seconds > 5:
        return not_run(f"its lease takes {contestant.seconds} seconds")
    cell = Cell()
    at_once = 1 if quick else 3
    with box.box() as scratch, concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        for final, took, code in pool.map(lambda n: one_round(contestant, scratch / str(n)), range(at_once)):
            cell.count("rounds")
            cell.count("taken", took)
            if not took:
                cell.note(STALE, "nobody else gets the lock as long as the holder is stopped")
            elif final == "other":
                cell.note(INTACT)
            else:
                cell.count("lost updates")
                cell.note(DAMAGED if code else SILENT, "the late write replaced the other's"
                          + (f"; the holder ended with {code}" if code else ""))
    return cell


def one_round(contestant, scratch):
    scratch.mkdir()
    env = box.environment(scratch)
    place = scratch / "work"
    place.mkdir()
    file, ready, go, path = place / "file", place / "ready", place / "go", place / "lock"
    file.write_text("old\n")
    holder = box.start(contestant.holder(path, [LATE, file, ready, go, "late"]), env, cwd=place, **box.MUTE)
    box.wait_for(ready, holder)
    time.sleep(0.3)  # it sits in its work
    stopped = sorted(set(processes.tree(holder.pid)) | set(map(int, ready.read_text().split())))
    processes.send(stopped, signal.SIGSTOP)
    try:
        go.touch()  # the other one waits for nothing
        other = box.run(contestant.contender(path, [LATE, file, place / "ready2", go, "other"]), env, 60, cwd=place)
    finally:
        processes.send(stopped, signal.SIGCONT)
    code = box.finish(holder, 40).code
    return file.read_text().strip(), other.claimed, code
