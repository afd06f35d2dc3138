# SPDX-License-Identifier: Apache-2.0
"""What a cell of the scoreboard says.

A judge looks at the world after the fault, never at the contestant's own account of it; the only thing that it takes
from the contestant is whether it *claimed success* (exit status 0) or said that something went wrong.
"""

from dataclasses import dataclass, field

INTACT = "intact"
STALE = "stale but valid"
DAMAGED = "damaged"
SILENT = "silently damaged"
NOT_RUN = "not run"
NOT_USABLE = "not usable here"
NO_ANSWER = (NOT_RUN, NOT_USABLE)

ORDER = [INTACT, STALE, DAMAGED, SILENT]  # a cell is as bad as its worst round

MEANING = {
    INTACT: "nothing is lost, and the world is as the contestant said",
    STALE: "nothing is wrong, but something is old: an earlier whole version, or a lock that stays taken",
    DAMAGED: "something is lost or wrong, and the contestant failed visibly (a status other than 0, or it was killed)",
    SILENT: "something is lost or wrong, and the contestant said that all went well (status 0)",
}


@dataclass
class Cell:
    """One contestant under one fault."""

    verdict: str = INTACT
    counts: dict = field(default_factory=dict)
    why: str = ""

    def count(self, name, by=1):
        self.counts[name] = self.counts.get(name, 0) + by

    def note(self, verdict, why=""):
        """One round ended like this; the first reason for the worst verdict is kept."""
        if verdict not in ORDER:
            raise ValueError(verdict)
        if ORDER.index(verdict) > ORDER.index(self.verdict):
            self.verdict, self.why = verdict, why
        elif verdict == self.verdict != INTACT and not self.why:
            self.why = why

    def counts_text(self):
        return ", ".join(f"{number} {name}" for name, number in self.counts.items())


class Unusable(Exception):
    """The contestant does not do its work undisturbed, so what it does under a fault says nothing."""


def must_work(good, ended):
    """A control: an undisturbed run that `ended` like this."""
    if not good:
        raise Unusable(f"it does not work undisturbed: {ended.code} {ended.said()}")


def not_run(why):
    return Cell(NOT_RUN, {}, why)


def not_usable(why):
    return Cell(NOT_USABLE, {}, why)
