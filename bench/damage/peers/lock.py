# SPDX-License-Identifier: Apache-2.0
"""Contestants of "hold a lock around a command": each runs ARGV under the lock PATH, as its documentation shows it.

`command(lock, argv, wait)` is what is run; it waits for up to `wait` seconds. `lock_file(lock)` is the file that exists
while it is held, and `age(lock)` makes it as old as one whose holder died long ago, where age is what counts.
"""

import os
import time

from common import box


class Locker:
    name = ""
    needs = ()
    modules = ()
    by_age = False  # what is left behind is judged by its age

    def command(self, lock, argv, wait=60):
        raise NotImplementedError

    def lock_file(self, lock):
        return lock

    def age(self, lock, seconds=600):
        if self.by_age and os.path.lexists(self.lock_file(lock)):
            then = time.time() - seconds
            os.utime(self.lock_file(lock), (then, then))


class Shell(Locker):
    script = ""

    def command(self, lock, argv, wait=60):
        return ["sh", "-c", self.script, "sh", lock, str(wait), *argv]


class Python(Locker):
    library = ""

    def command(self, lock, argv, wait=60):
        return [box.PYTHON, box.HERE / "peers" / "lock_python.py", self.library, lock, str(wait), *argv]


class Holdfast(Locker):
    name = "holdfast"

    def command(self, lock, argv, wait=60):
        return [box.holdfast(), "lock", "--file", lock, "-w", f"{wait}s", "--", *argv]

    def lock_file(self, lock):
        return lock.parent / f".{lock.name}.lock"


class Flock(Locker):
    name = "flock(1)"
    needs = ("flock",)

    def command(self, lock, argv, wait=60):
        return ["flock", "-w", str(wait), lock, *argv]


class Dotlockfile(Locker):
    name = "dotlockfile"
    needs = ("dotlockfile",)

    def command(self, lock, argv, wait=60):
        return ["dotlockfile", "-l", "-p", "-P", "-i", "1", "-r", str(wait), lock, *argv]


class Procmail(Shell):
    name = "procmail lockfile"
    needs = ("lockfile",)
    script = 'lock=$1 wait=$2; shift 2; lockfile -1 -r "$wait" -l 300 "$lock" || exit 75; "$@"; code=$?; ' \
             'rm -f "$lock"; exit "$code"'
    by_age = True


class Noclobber(Shell):
    name = "`set -C` lock file"
    script = """lock=$1 left=$(($2 * 20)); shift 2
until (set -C; echo $$ >"$lock") 2>/dev/null; do
  left=$((left - 1)); [ "$left" -gt 0 ] || exit 75
  sleep 0.05
done
trap 'rm -f "$lock"' EXIT
"$@" """


class NoclobberRecover(Shell):
    name = "`set -C` and `kill -0`"
    script = """lock=$1 left=$(($2 * 20)); shift 2
until (set -C; echo $$ >"$lock") 2>/dev/null; do
  kill -0 "$(cat "$lock")" 2>/dev/null || rm -f "$lock"
  left=$((left - 1)); [ "$left" -gt 0 ] || exit 75
  sleep 0.05
done
trap 'rm -f "$lock"' EXIT
"$@" """


class PidFile(Shell):
    name = "pid file and `kill -0`"
    script = """lock=$1; shift 2
if [ -f "$lock" ] && kill -0 "$(cat "$lock")" 2>/dev/null; then echo 'it runs already' >&2; exit 75; fi
echo $$ >"$lock"
trap 'rm -f "$lock"' EXIT
"$@" """


class Filelock(Python):
    name = "python filelock"
    needs = ("python3-filelock",)
    library = "filelock"


class SoftFilelock(Python):
    name = "python filelock (soft)"
    needs = ("python3-filelock",)
    library = "soft"


class Portalocker(Python):
    name = "python portalocker"
    needs = ("python3-portalocker",)
    library = "portalocker"


class Fasteners(Python):
    name = "python fasteners"
    needs = ("python3-fasteners",)
    library = "fasteners"


class ProperLockfile(Locker):
    name = "npm proper-lockfile"
    needs = ("node",)
    modules = ("proper-lockfile",)
    by_age = True

    def command(self, lock, argv, wait=60):
        return ["node", box.HERE / "peers" / "lock_node.mjs", lock, str(wait), *argv]

    def lock_file(self, lock):
        return lock.parent / f"{lock.name}.lock"


ALL = [Holdfast(), Flock(), Dotlockfile(), Procmail(), Noclobber(), NoclobberRecover(), PidFile(), Filelock(),
       SoftFilelock(), Portalocker(), Fasteners(), ProperLockfile()]


def chosen(*kinds):
    """The contestants of a fault that takes long: some of each kind of lock, not each that there is."""
    return [one for one in ALL if type(one) in kinds]


def start_holder(locker, path, place, env):
    """Somebody who holds the lock, and goes on holding it."""
    holder = box.start(locker.command(path, ["sh", "-c", "echo >held; exec sleep 100"], 5), env, cwd=place, **box.MUTE)
    box.wait_for(place / "held", holder)
    return holder
