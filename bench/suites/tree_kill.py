# SPDX-License-Identifier: Apache-2.0
"""Ending a tree of 2000 processes that ignores TERM, half of it in sessions of its own (as anything is that was started by
setsid): from the request until the last is gone. What leaves somebody alive is wrong, however fast. The floor kills each
process by its number, from a list that only this test has."""

import os
import signal
import subprocess
import time
import uuid

from frame import measure, processes
from frame.result import Comparison

PATIENCE = 2  # seconds until what is left counts as left alive

TREE = """trap '' TERM
i=0
while [ "$i" -lt {half} ]; do sleep 3600 & setsid sleep 3600 & i=$((i + 1)); done
echo up
wait
"""


def run(bench):
    size, rounds = bench.pick((2000, 3), (200, 1))
    with bench.place() as place:
        script = place / "tree.sh"
        script.write_text(TREE.format(half=size // 2))
        ways = {"holdfast stop": Holdfast(bench), "kill(2) of each": EachByNumber(),
                "kill -KILL -- -PGID, as timeout does": Group()}
        if bench.peers.has("bubblewrap"):
            ways["bwrap --unshare-pid, killed"] = Namespace()
        runs = {name: measure.Run() for name in ways}
        for counts, name in measure.in_turns(ways, rounds, seconds=40, warm_up=not bench.quick):
            took, left = ended(ways[name], script, size)
            if counts:
                runs[name].values.append(took)
            runs[name].check(not left, f"{left} of {size} live on")
        table = Comparison(f"a tree of {size} is ended", "us").runs(runs, floor="kill(2) of each")
        if not bench.peers.has("bubblewrap"):
            table.absent("bwrap --unshare-pid, killed", bench.peers.why_not("bubblewrap"))
        table.target("holdfast stop", "<=", 1e6)
        yield table


def ended(way, script, size):
    """Microseconds until all are gone, or until the way was done; how many live on."""
    mark = uuid.uuid4().hex
    way.start(["sh", str(script)], {**os.environ, processes.MARK: mark})
    try:
        way.root.stdout.readline()
        tree = whole_tree(mark, size)
        began = time.monotonic()
        way.end(tree)
        done = time.monotonic()
        left = processes.wait_gone(tree, PATIENCE)
        took = (done if left else max(done, time.monotonic())) - began
    finally:
        processes.end_marked(mark)
        way.root.communicate()
    return took * 1e6, len(left)


def whole_tree(mark, size):
    """{pid: start} of the shell and what it started, when all of it is there."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        tree = {pid: start for pid, start in processes.marked(mark).items() if is_of_tree(pid)}
        if len(tree) > size:
            return tree
    raise measure.Wrong(f"only {len(tree)} processes came up")


def is_of_tree(pid):
    seen = processes.stat(pid)
    return seen is not None and seen.command in ("sleep", "sh")


class Way:
    root = None
    prefix = ()

    def start(self, argv, environment):
        self.root = subprocess.Popen([*self.prefix, *argv], env=environment, stdout=subprocess.PIPE, text=True,
                                     stderr=subprocess.DEVNULL, start_new_session=True)


class Holdfast(Way):
    def __init__(self, bench):
        self.holdfast = str(bench.holdfast)
        self.prefix = (self.holdfast, "run", "--name", "tree", "--grace", "0", "--")

    def end(self, tree):
        measure.timed([self.holdfast, "-q", "stop", "tree", "--grace", "0"])


class EachByNumber(Way):
    def end(self, tree):
        for pid in tree:
            os.kill(pid, signal.SIGKILL)


class Group(Way):
    def end(self, tree):
        os.killpg(self.root.pid, signal.SIGKILL)


class Namespace(Way):
    prefix = ("bwrap", "--dev-bind", "/", "/", "--unshare-pid", "--die-with-parent")

    def end(self, tree):
        self.root.kill()
