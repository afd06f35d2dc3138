# SPDX-License-Identifier: Apache-2.0
"""Two recover the same stale lock.

The holder of a lock is killed. Then, first, one contender is held up for a while at each of its steps in turn, and
another one comes in that time: whoever looks, is held up, and then acts on what it saw, breaks the other's lock.
Second, four contenders come at the same moment.
"""

import concurrent.futures
import time

from common import box, contents, stamps, steps
from common.verdict import INTACT, SILENT, STALE, Cell, not_run
from frame import processes
from peers import lock

TITLE = "stale lock, two recoverers"
DONE = ("the holder of a lock is killed; then a contender is held up at each of its system calls in turn while another "
        "one comes, and after that four come at the same moment")
DAMAGE = "two are inside at the same time; that nobody gets the lock any more is stale but valid"
CONTESTANTS = lock.chosen(lock.Holdfast, lock.Flock, lock.Procmail, lock.Noclobber, lock.NoclobberRecover, lock.PidFile,
                          lock.Filelock, lock.SoftFilelock, lock.ProperLockfile)
VARIES = True
AT_ONCE = 4  # contestants; mostly they wait
INSIDE = box.HERE / "peers" / "inside.sh"
WAIT = 5        # seconds; enough for whoever gets it at all
SUSPEND = 30    # procmail's lockfile keeps still for 16 s after it removed one by force


class Lock:
    """One lock in a directory of its own, left behind by a holder that was killed."""

    def __init__(self, contestant, place, env):
        contents.empty(place)
        self.contestant, self.place, self.env = contestant, place, env
        self.path, self.log = place / "lock", place.parent / (place.name + ".log")
        self.log.unlink(missing_ok=True)
        processes.end_tree(lock.start_holder(contestant, self.path, place, env))
        contestant.age(self.path)

    def argv(self, who, seconds, wait):
        return self.contestant.command(self.path, [INSIDE, self.log, str(seconds), who], wait)

    def judge(self, cell, when=""):
        """Everybody has ended; who was inside, and with whom."""
        stays = stamps.read(self.log)
        both = stamps.overlaps(stays)
        cell.count("rounds")
        cell.count("overlaps", both)
        if both:
            cell.note(SILENT, f"{when}{both} inside at the same time as another")
        elif not stays:
            cell.note(STALE, "nobody gets the lock of a dead holder")
        else:
            cell.note(INTACT)


def run(contestant, rng, rounds, quick):
    cell = Cell()
    slow = isinstance(contestant, lock.Procmail)
    if slow and quick:
        return not_run("it keeps still for 16 seconds after each recovery")
    wait = SUSPEND if slow else 2 if quick else WAIT
    with box.box() as scratch:
        env = box.environment(scratch)
        if not slow:  # held up for less than its suspension, it would tell nothing
            sweep(cell, contestant, scratch, env, 2 if quick else rounds)
        for _ in range(1 if quick or slow or cell.verdict == STALE else rounds):
            left = Lock(contestant, scratch / "work", env)
            contenders = [box.start(left.argv(str(i), 0.05, wait), env, cwd=scratch, **box.MUTE) for i in range(4)]
            for one in contenders:
                box.finish(one, wait + 10)
            left.judge(cell)
    return cell


def sweep(cell, contestant, scratch, env, most):
    left = Lock(contestant, scratch / "work", env)
    began = time.monotonic()
    _, found = steps.record(left.argv("first", 0, 1), env, left.place, scratch)
    alone = time.monotonic() - began
    if not stamps.read(left.log):
        left.judge(cell)
        return
    delay = 2 * alone + 0.4

    def disturbed(step):
        left = Lock(contestant, scratch / "-".join(map(str, step)), env)
        first = steps.start_delayed_at(step, delay, left.argv("first", 0.05, 10), env, scratch)
        time.sleep(alone)  # by now it stands at its step
        second = box.start(left.argv("second", delay + alone, 10), env, cwd=scratch, **box.MUTE)
        box.finish(first, 30)
        box.finish(second, 30)
        return left, step

    chosen = contents.spread([step for step in found if step[0] != "exit_group"], most)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:  # mostly they wait
        for left, step in pool.map(disturbed, chosen):
            left.judge(cell, f"one was held up at {step[0]} {step[1]}: ")
