# SPDX-License-Identifier: Apache-2.0
"""The daemon that knows who is alive does not answer, or answers nonsense."""

from common import box
from common.verdict import DAMAGED, INTACT, SILENT, Cell, must_work
from peers import clean

TITLE = "dead liveness daemon"
DONE = ("a clean-up asks a container engine which sessions are alive (all are); the engine (a stand-in for podman) "
        "cannot be reached, is killed, or prints nothing, an empty list or nonsense, or comes up with an empty store")
DAMAGE = "the directory of a live session is removed"
CONTESTANTS = clean.ALL
VARIES = False
NAMES = ("one", "two", "three")
STAND_IN = box.HERE / "peers" / "podman.py"
IN_ORDER = f'exec {box.PYTHON} {STAND_IN} "$@"'
ANSWERS = {
    "it cannot be reached": 'echo "Cannot connect to Podman" >&2; exit 125',
    "it is killed": "kill -9 $$",
    "it is gone": "exit 127",
    "it prints nothing, with status 0": "exit 0",
    "it prints an empty list, with status 0":
        f'case $1 in ps) case $* in *json*) echo "[]" ;; esac ;; *) {IN_ORDER} ;; esac',
    "it prints nonsense, with status 0": 'echo "<html>502 Bad Gateway</html>"',
    "it comes up with an empty store": f'DAMAGE_CONTAINERS= DAMAGE_STORE=/ {IN_ORDER}',
}


class Place:
    """Three sessions whose containers live, and an engine in order."""

    def __init__(self, contestant, scratch):
        self.contestant, self.scratch = contestant, scratch
        self.env = box.environment(scratch)
        self.env.update(PATH=f"{scratch}/bin:{self.env['PATH']}", DAMAGE_CONTAINERS=" ".join(NAMES),
                        DAMAGE_STORE=str(scratch / "bin"))
        (scratch / "bin").mkdir()
        self.engine(IN_ORDER)
        self.sessions = [contestant.make(name, scratch, self.env) for name in NAMES]
        for session in self.sessions:
            (session / "work").write_text("an hour of it\n")

    def engine(self, script):
        podman = self.scratch / "bin" / "podman"
        podman.write_text(f"#!/bin/sh\n{script}\n")
        podman.chmod(0o755)

    def clean(self):
        ended = box.run(self.contestant.command(self.scratch), self.env, cwd=self.scratch)
        return ended, [one.name for one in self.sessions if not (one / "work").exists()]


def control(contestant):
    """With the engine in order, who lives stays, and who is gone goes."""
    with box.box() as scratch:
        place = Place(contestant, scratch)
        ended, removed = place.clean()
        must_work(not removed, ended)
        place.env["DAMAGE_CONTAINERS"] = " ".join(NAMES[1:])
        ended, removed = place.clean()
        must_work(removed == [NAMES[0]], ended)


def run(contestant, rng, rounds, quick):
    cell = Cell(counts={"rounds": 0, "sessions": 0, "removed": 0})
    control(contestant)
    for answer, script in ANSWERS.items():
        with box.box() as scratch:
            place = Place(contestant, scratch)
            place.engine(script)
            ended, removed = place.clean()
            cell.count("rounds")
            cell.count("sessions", len(NAMES))
            cell.count("removed", len(removed))
            if removed:
                cell.note(SILENT if ended.claimed else DAMAGED, f"{answer}: {len(removed)} live sessions were removed")
            else:
                cell.note(INTACT)
    return cell
