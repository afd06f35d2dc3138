# SPDX-License-Identifier: Apache-2.0
"""The number of a process went to another one.

Played in a pid namespace, where the kernel can be told which number comes next. Kills: a process is noted while it
lives, it dies, another one gets its number, and then the noted one is to be ended. Locks: the holder dies, another
process gets its number, and then somebody wants the lock.
"""

import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[up]) for up in (1, 2)]  # the second for `frame`

from common import box, contents  # noqa: E402
from common.verdict import DAMAGED, INTACT, SILENT, STALE, Cell, Unusable, not_run, not_usable  # noqa: E402
from frame import processes  # noqa: E402
from peers import both, kill, lock  # noqa: E402

TITLE = "recycled pid"
DONE = ("a process that was noted, or that held a lock, has died and its number went to another one (the same program, "
        "or another, in turn); then the noted one is to be ended, or the lock is wanted")
DAMAGE = "the innocent process is ended; a lock that stays taken because of it is stale but valid"
CONTESTANTS = both.together(kill.ALL, lock.ALL)
VARIES = False
AT_ONCE = 4  # contestants; mostly they wait


def run(contestant, rng, rounds, quick):
    if quick and isinstance(contestant.parts[0], lock.Procmail):
        return not_run("it keeps still for 16 seconds after a recovery")
    ended = box.run(["unshare", "--pid", "--fork", "--mount-proc", "--kill-child", box.PYTHON, __file__,
                     contestant.name, "1" if quick else str(max(2, rounds // 5))],
                    {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, 300)
    if not ended.claimed:
        raise RuntimeError(ended.said())
    return Cell(**json.loads(ended.out))


# ---- inside the namespace --------------------------------------------------------------------------------------

def replace_by_innocent(process, number):
    """Ends our process and starts another with its number; its start is another tick, as it always is in the end."""
    start = processes.start_time(process.pid)
    processes.end_tree(process)
    reap_orphans()
    program = ["sleep", "1000"] if number % 2 == 0 else ["tail", "-f", "/dev/null"]
    until = time.monotonic() + 10
    while time.monotonic() < until:
        if float(pathlib.Path("/proc/uptime").read_text().split()[0]) * 100 <= start + 1:
            continue
        pathlib.Path("/proc/sys/kernel/ns_last_pid").write_text(str(process.pid - 1))
        innocent = box.start(program, box.environment("/"), **box.MUTE)
        if innocent.pid == process.pid:
            return innocent
        box.end_group(innocent)
    raise RuntimeError("the number could not be given out again")


def reap_orphans():
    """We are the first process here: what the dead ones leave is ours, and keeps their session's number."""
    until = time.monotonic() + 1
    while time.monotonic() < until:
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.01)
        except ChildProcessError:
            return


def noted_process(part, place, env):
    process = box.start(part.daemon(place), env, cwd=place, **box.MUTE)
    time.sleep(0.1)  # it has become what it is going to be
    part.note(process.pid, place, env)
    return process


def control(part, place, env):
    """Undisturbed, the noted process is ended: otherwise an innocent one that lives says nothing."""
    process = noted_process(part, place, env)
    ended = box.run(part.command(place), env, 30, cwd=place)
    try:
        process.wait(2)
    except subprocess.TimeoutExpired:
        raise Unusable(f"it does not end what it should: {ended.code} {ended.said()}") from None


def play_kill(part, cell, place, env, number):
    control(part, place, env)
    noted = noted_process(part, place, env)
    innocent = replace_by_innocent(noted, number)
    start = processes.start_time(innocent.pid)
    ended = box.run(part.command(place), env, 30, cwd=place)
    time.sleep(0.1)  # a signal arrives
    cell.count("kills")
    if innocent.poll() is None and processes.alive(innocent.pid, start):
        cell.note(INTACT)
        box.end_group(innocent)
    else:
        cell.count("innocents ended")
        cell.note(SILENT if ended.claimed else DAMAGED, "the innocent process was ended")


def play_lock(part, cell, place, env, number):
    path = place / "lock"
    innocent = replace_by_innocent(lock.start_holder(part, path, place, env), number)
    part.age(path)
    ended = box.run(part.command(path, ["true"], 20 if isinstance(part, lock.Procmail) else 2), env, 40, cwd=place)
    box.end_group(innocent)
    cell.count("locks")
    if ended.claimed:
        cell.note(INTACT)
    else:
        cell.count("stayed taken")
        cell.note(STALE, "the lock of a dead holder stays taken")


def played(contestant, rounds):
    cell = Cell()
    for part in contestant.parts:
        play = play_lock if isinstance(part, lock.Locker) else play_kill
        for number in range(1 if isinstance(part, lock.Procmail) else rounds):
            with box.box() as scratch:
                contents.empty(scratch / "work")
                play(part, cell, scratch / "work", box.environment(scratch), number)
    return cell


def main():
    name, rounds = sys.argv[1:]
    contestant = next(one for one in CONTESTANTS if one.name == name)
    try:
        cell = played(contestant, int(rounds))
    except Unusable as error:
        cell = not_usable(str(error))
    print(json.dumps(dataclasses.asdict(cell)))


if __name__ == "__main__":
    main()
