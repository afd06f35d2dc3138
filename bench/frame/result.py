# SPDX-License-Identifier: Apache-2.0
"""What a suite finds out, as plain data that goes to JSON and back.

A *comparison* is one question ("around /bin/true") with several *contestants*: ours, the peers, and the floor, which is
the bare system calls of the job. One that does less than the question asks stands *beside* them: its time is shown, and it
is no best peer. Each has one median with its quartiles; ratios are always between contestants of the
same comparison, so of the same run. A *target* is what the contract or the suite demands of one contestant.
"""

import math
import statistics

OURS, PEER, FLOOR, BESIDE = "ours", "peer", "floor", "beside"


def quartiles(values):
    """Median, first and third quartile; of a few values the nearest there is."""
    values = sorted(values)
    if len(values) < 2:
        return values[0], values[0], values[0]
    first, median, third = statistics.quantiles(values, n=4, method="inclusive")
    return median, first, third


class Contestant:
    def __init__(self, name, role, values, wrong=None, note=None):
        self.name, self.role, self.wrong, self.note = name, role, wrong, note
        self.rounds = len(values)
        self.median, self.first, self.third = quartiles(values) if values else (None, None, None)

    @property
    def counts(self):
        """Only a right answer is worth comparing with."""
        return self.median is not None and not self.wrong


class Target:
    """`of` must be `sign` (<= or >=) `limit`: times `against`, or as it is where that is None. One that belongs to a row
    of the contract (frame/contract.py) names it by `row`, with a `label` for its figure there."""

    def __init__(self, of, sign, limit, against=None, row=None, label=None):
        self.of, self.sign, self.limit, self.against, self.row, self.label = of, sign, limit, against, row, label
        self.value = self.met = None

    def judge(self, comparison):
        ours = comparison.find(self.of)
        beside = comparison.find(self.against) if self.against else None
        if ours is None or not ours.counts or (self.against and (beside is None or not beside.counts)):
            return
        if beside is not None and not beside.median:
            return
        self.value = ours.median / beside.median if beside else ours.median
        self.met = self.value <= self.limit if self.sign == "<=" else self.value >= self.limit


class Comparison:
    def __init__(self, what, unit, better="less", about=None, plot=None):
        self.what, self.unit, self.better, self.about, self.plot = what, unit, better, about, plot
        self.contestants, self.targets = [], []

    def add(self, name, role, values, wrong=None, note=None):
        self.contestants.append(Contestant(name, role, list(values), wrong, note))
        return self

    def ours(self, name, values, **more):
        return self.add(name, OURS, values, **more)

    def peer(self, name, values, **more):
        return self.add(name, PEER, values, **more)

    def floor(self, name, values, **more):
        return self.add(name, FLOOR, values, **more)

    def beside(self, name, values, note, **more):
        """`note` says what it does less."""
        return self.add(name, BESIDE, values, note=note, **more)

    def runs(self, runs, floor):
        """{name: Run} as they came: `holdfast …` is ours, `floor` the floor, the rest are peers."""
        for name, done in runs.items():
            role = OURS if name.startswith("holdfast") else FLOOR if name == floor else PEER
            self.add(name, role, done.values, wrong=done.wrong)
        return self

    def peer_of(self, runs, name, why_not, note=None):
        """The peer as it came in {name: Run}, or as absent."""
        if name not in runs:
            return self.absent(name, why_not)
        return self.peer(name, runs[name].values, wrong=runs[name].wrong, note=note)

    def absent(self, name, why):
        """A peer that could not be measured is shown, not left out."""
        return self.add(name, PEER, [], note=why)

    def target(self, *words, **more):
        self.targets.append(Target(*words, **more))
        return self

    def find(self, name):
        return next((c for c in self.contestants if c.name == name), None)

    def best_peer(self):
        peers = [c for c in self.contestants if c.role == PEER and c.counts]
        if not peers:
            return None
        return (min if self.better == "less" else max)(peers, key=lambda c: c.median)

    def the_floor(self):
        return next((c for c in self.contestants if c.role == FLOOR and c.counts), None)

    def finish(self):
        for target in self.targets:
            target.judge(self)
        return self

    def to_data(self):
        """As it goes to JSON."""
        best, floor = self.best_peer(), self.the_floor()

        def ratio(contestant, beside):
            if not contestant.counts or beside is None or not beside.median:
                return None
            return round(contestant.median / beside.median, 4)

        return {
            "what": self.what, "unit": self.unit, "better": self.better, "about": self.about, "plot": self.plot,
            "contestants": [
                {"name": c.name, "role": c.role, "median": c.median, "first": c.first, "third": c.third,
                 "rounds": c.rounds, "to_best": ratio(c, best), "to_floor": ratio(c, floor),
                 "wrong": c.wrong, "note": c.note} for c in self.contestants],
            "targets": [
                {"of": t.of, "sign": t.sign, "limit": t.limit, "against": t.against, "row": t.row,
                 "label": t.label, "value": t.value, "met": t.met} for t in self.targets],
        }


class Series:
    """One operation at 1, 10, 100 and 1000 times the work: what it costs, and how that grows."""

    MOST = 1.2  # n·log n looks like 1.16 between these sizes; the rest is the noise of a measurement

    def __init__(self, what, of, unit="us"):
        self.what, self.of, self.unit = what, of, unit
        self.sizes, self.medians = [], []

    def point(self, size, values):
        self.sizes.append(size)
        self.medians.append(quartiles(list(values))[0])
        return self

    def finish(self):
        return self

    def exponent(self):
        """k of cost = base + c·n^k. What costs about the same at every size is fitted as it is; of what grows, the cost
        at the smallest size is the base, which is mostly the start of the program."""
        points = list(zip(self.sizes, self.medians))
        if max(self.medians) >= 2 * self.medians[0]:
            base = self.medians[0]
            points = [(size, cost - base) for size, cost in points if cost > 1.1 * base]
            if len(points) < 2:
                return slope(list(zip(self.sizes, self.medians))[-2:])
        return slope(points)

    def to_data(self):
        exponent = round(self.exponent(), 2)
        return {"kind": "series", "what": self.what, "of": self.of, "unit": self.unit, "sizes": self.sizes,
                "medians": self.medians, "exponent": exponent, "fits": exponent <= self.MOST, "contestants": [], "targets": []}


def slope(points):
    """Least squares through the logarithms."""
    xs, ys = [math.log(size) for size, _ in points], [math.log(cost) for _, cost in points]
    mean_x, mean_y = statistics.fmean(xs), statistics.fmean(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / spread
