# SPDX-License-Identifier: Apache-2.0
"""Where a contestant works: a scratch directory of its own, an environment that leads nowhere else, bounded runs."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

from frame.peers import Peers

LIMIT = 60  # seconds; whoever needs longer hangs
HERE = pathlib.Path(__file__).resolve().parent.parent
MUTE = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
PYTHON = "/usr/bin/python3"  # the one that Debian's modules belong to
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PEERS = Peers()


def holdfast():
    program = os.environ.get("HOLDFAST")
    if not program:
        raise SystemExit("HOLDFAST must be the path of the program under test")
    return os.path.abspath(program)


@contextlib.contextmanager
def box():
    """A fresh scratch directory, removed at the end."""
    path = pathlib.Path(tempfile.mkdtemp(prefix="damage."))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def environment(scratch):
    """What every contestant gets: nothing of the caller's settings, a home in the scratch directory."""
    return {
        "PATH": PATH,
        "LC_ALL": "C.UTF-8",
        "HOME": str(scratch),
        "HOLDFAST": holdfast(),
        "HOLDFAST_HOME": str(pathlib.Path(scratch) / "home"),
        "DAMAGE_NODE_MODULES": PEERS.modules(),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


class Ended:
    """How a program ended: `code` as a shell has it (128+n for a signal), and what it said."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    @property
    def claimed(self):
        return self.code == 0

    def said(self):
        lines = (self.err or self.out).strip().splitlines()
        return lines[-1][:120] if lines else ""


def start(argv, env, **options):
    """A process in a group of its own, so that all of it can be ended; stdin is empty unless given."""
    options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.Popen([str(word) for word in argv], env=env, start_new_session=True, **options)


def end_group(process):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def finish(process, limit=LIMIT):
    """Waits for it; one that hangs is ended with its group, and has the code 137."""
    try:
        out, err = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        end_group(process)
        out, err = process.communicate()
    code = process.returncode if process.returncode >= 0 else 128 - process.returncode
    return Ended(code, (out or b"").decode(errors="replace"), (err or b"").decode(errors="replace"))


def run(argv, env, limit=LIMIT, **options):
    return finish(start(argv, env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options), limit)


def wait_for(file, process, limit=20):
    """Until the process has made that file."""
    until = time.monotonic() + limit
    while not file.exists():
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"{process.args[0]} did not come so far: no {file.name}")
        time.sleep(0.005)
