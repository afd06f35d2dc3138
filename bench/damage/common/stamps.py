# SPDX-License-Identifier: Apache-2.0
"""The judge of locks: a log in which everybody stamps when it is inside. See peers/inside.sh."""


def read(log):
    """{who: (in, out)}; whoever never left has left at the end of time."""
    stays = {}
    if not log.exists():
        return stays
    for line in log.read_text().splitlines():
        what, who, when = line.split()
        if what == "in":
            stays[who] = (float(when), float("inf"))
        else:
            stays[who] = (stays[who][0], float(when))
    return stays


def overlaps(stays):
    """How many pairs were inside at the same time."""
    spans = sorted(stays.values())
    return sum(1 for i, (_, out) in enumerate(spans) for begin, _ in spans[i + 1:] if begin < out)
