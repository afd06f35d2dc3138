# SPDX-License-Identifier: Apache-2.0
"""The holder of a lock is stopped past its lease, and goes on afterwards."""

import concurrent.futures
import signal
import time

from common import box
from common.verdict import DAMAGED, INTACT, SILENT, STALE, Cell, must_work, not_run
from frame import processes
from peers import lock

TITLE = "holder stopped past its lease"
DONE = ("the holder of a lock is stopped (SIGSTOP, with all that it started) for longer than its lease, or its age "
        "limit, lasts; another one takes the lock and writes; the first goes on and writes, too. All of them write by `mv`, "
        "as scripts do; only in the row `holdfast` it is `holdfast write`, which asks before its step whether the lock is "
        "still held")
DAMAGE = ("the late write is there instead of the other's; that nobody gets the lock as long as the holder is "
          "stopped is stale but valid")
VARIES = True
AT_ONCE = 6  # contestants; mostly they wait
LATE = box.HERE / "peers" / "late.sh"
FOREVER = 1e9


class Lease:
    """A lock of `lock.py` with the bound on silence that it offers; `seconds` is how long that is."""

    seconds = FOREVER
    how = "plain"  # see late.sh

    def __init__(self, inner):
        self.name, self.needs, self.modules, self.inner = inner.name, inner.needs, inner.modules, inner

    def holder(self, path, argv):
        return self.inner.command(path, argv, 5)

    def contender(self, path, argv):
        return self.inner.command(path, argv, 2)


class HoldfastLease(Lease):
    seconds = 2
    how = "fenced"

    def holder(self, path, argv):
        return [box.holdfast(), "lock", path.name, "--ttl", "2s", "--", *argv]

    def contender(self, path, argv):
        return [box.holdfast(), "lock", path.name, "--on-expired", "take", "-w", "20s", "--", *argv]


class HoldfastUnfenced(HoldfastLease):
    """The lease alone, for a command that knows nothing of it."""

    how = "plain"

    def __init__(self, inner):
        super().__init__(inner)
        self.name = "holdfast lease and `mv`"


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
CONTESTANTS = [KINDS.get(type(one), Lease)(one) for one in lock.chosen(
    lock.Holdfast, lock.Flock, lock.Dotlockfile, lock.Procmail, lock.Noclobber, lock.NoclobberRecover, lock.PidFile,
    lock.Filelock, lock.SoftFilelock, lock.ProperLockfile)]
CONTESTANTS.insert(1, HoldfastUnfenced(lock.Holdfast()))


def run(contestant, rng, rounds, quick):
    if quick and FOREVER > contestant.seconds > 5:
        return not_run(f"its lease takes {contestant.seconds} seconds")
    cell = Cell()
    at_once = 1 if quick else 3
    with box.box() as scratch, concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        control(contestant, scratch / "control")
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


class Place:
    """A file and the lock around it, in a directory of their own."""

    def __init__(self, contestant, scratch):
        scratch.mkdir()
        self.env, self.at, self.how = box.environment(scratch), scratch / "work", contestant.how
        self.at.mkdir()
        self.file, self.go, self.lock = self.at / "file", self.at / "go", self.at / "lock"
        self.file.write_text("old\n")

    def work(self, word):
        """What is done under the lock, as soon as `go` is there; who has begun makes the file `ready-WORD`."""
        return [LATE, self.file, self.at / f"ready-{word}", self.go, word, self.how]


def control(contestant, scratch):
    """Nobody is stopped: one after the other gets the lock, and writes."""
    place = Place(contestant, scratch)
    place.go.touch()
    for command, word in ((contestant.holder, "late"), (contestant.contender, "other")):
        ended = box.run(command(place.lock, place.work(word)), place.env, 60, cwd=place.at)
        must_work(ended.claimed and place.file.read_text().strip() == word, ended)


def one_round(contestant, scratch):
    place = Place(contestant, scratch)
    ready = place.at / "ready-late"
    holder = box.start(contestant.holder(place.lock, place.work("late")), place.env, cwd=place.at, **box.MUTE)
    box.wait_for(ready, holder)
    time.sleep(0.3)  # it sits in its work
    stopped = sorted(set(processes.below(holder.pid)) | set(map(int, ready.read_text().split())))
    processes.send(stopped, signal.SIGSTOP)
    try:
        place.go.touch()  # the other one waits for nothing
        other = box.run(contestant.contender(place.lock, place.work("other")), place.env, 60, cwd=place.at)
    finally:
        processes.send(stopped, signal.SIGCONT)
    code = box.finish(holder, 40).code
    return place.file.read_text().strip(), other.claimed, code
