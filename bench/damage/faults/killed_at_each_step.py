# SPDX-License-Identifier: Apache-2.0
"""The process is killed at each of its steps while it replaces a file, or while it takes and gives back a lock."""

from common import box, contents, steps
from common.verdict import INTACT, STALE, Cell, must_work
from peers import both, lock, replace

TITLE = "killed at each step"
DONE = ("a file is replaced, or a lock is taken and given back; in each round the process is killed (SIGKILL) on "
        "entering one of the system calls by which it works on files of its own, one call after the other")
DAMAGE = ("the file is neither the whole old nor the whole new version; a lock that nobody gets afterwards is stale "
          "but valid")
CONTESTANTS = both.together(replace.ALL, lock.chosen(
    lock.Holdfast, lock.Flock, lock.Dotlockfile, lock.Noclobber, lock.NoclobberRecover, lock.PidFile, lock.Filelock,
    lock.SoftFilelock, lock.Portalocker, lock.Fasteners, lock.ProperLockfile))
VARIES = False
AT_ONCE = 4  # contestants; some of them wait


def run(contestant, rng, rounds, quick):
    cell = Cell()
    most = 4 if quick else rounds * 10
    for part in contestant.parts:
        play = play_lock if isinstance(part, lock.Locker) else play_replace
        with box.box() as scratch:
            play(part, cell, rng, scratch, most, 1 if quick else 3)
    return cell


def play_replace(part, cell, rng, scratch, most, _):
    old, new = contents.versions(rng)
    place = scratch / "work"
    (scratch / "new.json").write_bytes(new)
    file = place / ("file" + part.suffix)

    def fresh():
        contents.empty(place)
        part.write(file, old)

    for step, ended in killed(part.command(file, scratch / "new.json"), fresh, scratch, most):
        if step is None:
            must_work(part.read(file) == new, ended)
        else:
            cell.count("rounds")
            contents.judge(cell, part.read(file), old, new, ended.claimed, f"killed at {step[0]} {step[1]}: ")


def play_lock(part, cell, _, scratch, most, wait):
    place = scratch / "work"
    env = box.environment(scratch)
    argv = part.command(place / "lock", ["true"], wait)
    for step, ended in killed(argv, lambda: contents.empty(place), scratch, most):
        if step is None:
            must_work(ended.claimed, ended)
        else:
            part.age(place / "lock")
            next_one = box.run(argv, env, cwd=place)
            cell.count("rounds")
            cell.count("free" if next_one.claimed else "taken for good")
            cell.note(INTACT if next_one.claimed else STALE,
                      f"killed at {step[0]} {step[1]}: nobody gets the lock afterwards")


def killed(argv, fresh, scratch, most):
    """(None, an undisturbed run), then (step, a run that was killed there) for each of them."""
    env = box.environment(scratch)
    place = scratch / "work"
    fresh()
    box.run(argv, env, cwd=place)  # what is made once, is made
    fresh()
    ended, found = steps.record(argv, env, scratch, place)
    yield None, ended
    for step in contents.spread(found, most):
        fresh()
        yield step, steps.run_killed_at(step, argv, env, place)
