# SPDX-License-Identifier: Apache-2.0
"""Kill a contestant at each of its steps.

A step is a system call by which a process can change a file system, made on something below the scratch directory.
One run under strace records the steps; then, for each, a fresh run is killed by SIGKILL on entering that very call
(`strace --inject`), so that it is as if the machine's out-of-memory killer had struck between two calls. strace counts
each kind of call in each process by itself, so a step is (kind, how manyth); where a contestant has several processes,
the one that reaches it is killed, and the others go on, as they would.
"""

import re
import subprocess

from common import box

KINDS = (
    "open openat creat write pwrite64 writev pwritev fsync fdatasync rename renameat renameat2 link linkat symlink "
    "symlinkat unlink unlinkat truncate ftruncate fallocate chmod fchmod fchmodat chown fchown fchownat lchown mkdir "
    "mkdirat rmdir utimensat copy_file_range sendfile splice fsetxattr flock fcntl exit_group"
).split()
NO_PATH = set("write pwrite64 writev pwritev fsync fdatasync ftruncate fallocate fchmod fchown copy_file_range sendfile "
              "splice fsetxattr flock fcntl exit_group".split())
ALWAYS = {"exit_group"}  # after the last change, before the process has ended
WORKING_DIRECTORY = re.compile(r"AT_FDCWD<[^>]*>")  # where it happens to stand is no file that it works on
RELATIVE = re.compile(r'^(?:, )?"[^/"]')             # a name without a directory: it stands in the scratch directory
LINE = re.compile(r"^(\d+) +(?:<\.\.\. )?(\w+)(\(| resumed)(.*)$")


def record(argv, env, scratch, cwd):
    """The steps of one undisturbed run: a sorted list of (kind, when)."""
    log = scratch.parent / (scratch.name + ".steps")
    ended = box.run(["strace", "-f", "-y", "-qq", "-s", "4096", "-e", "trace=" + ",".join(KINDS), "-e", "signal=none",
                     "-o", log, *argv], env, cwd=cwd)
    counters, found = {}, set()
    below = re.compile(re.escape(str(scratch)) + r'[/">]')
    for line in log.read_text(errors="replace").splitlines():
        match = LINE.match(line)
        if not match or match[3] != "(":
            continue
        process, kind, rest = match[1], match[2], match[4]
        counters[process, kind] = counters.get((process, kind), 0) + 1
        rest = WORKING_DIRECTORY.sub("", rest)
        if kind in ALWAYS or below.search(rest) or (kind not in NO_PATH and RELATIVE.match(rest)):
            found.add((kind, counters[process, kind]))
    log.unlink()
    return ended, sorted(found, key=lambda step: (KINDS.index(step[0]), step[1]))


def run_killed_at(step, argv, env, cwd):
    """One run that dies at that step; 137, or its own code if the step was not reached this time."""
    kind, when = step
    return box.run(["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={kind}", "-e",
                    f"inject={kind}:signal=SIGKILL:when={when}", *argv], env, cwd=cwd)


def start_delayed_at(step, seconds, argv, env, cwd):
    """A run that is held up for that long on entering that step."""
    kind, when = step
    return box.start(["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={kind}", "-e",
                      f"inject={kind}:delay_enter={int(seconds * 1e6)}:when={when}", *argv], env, cwd=cwd,
                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
