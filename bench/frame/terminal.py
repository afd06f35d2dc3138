# SPDX-License-Identifier: Apache-2.0
"""Results on the terminal, as they come."""

from frame import words


def show(data):
    if data.get("kind") == "series":
        show_series(data)
        return
    print(f"-- {data['what']}")
    wide = max(len(c["name"]) for c in data["contestants"])
    for c in data["contestants"]:
        if c["median"] is None:
            print(f"   {c['name']:{wide}}  {'absent' if not c['wrong'] else 'WRONG'}: {c['wrong'] or c['note']}")
            continue
        spread = f"{words.figure(c['first'], data['unit'])} .. {words.figure(c['third'], data['unit'])}"
        line = (f"   {c['name']:{wide}}  {words.figure(c['median'], data['unit']):>12}  {spread:>26}  "
                f"best peer × {words.ratio(c['to_best']):>6}  floor × {words.ratio(c['to_floor']):>6}  {c['rounds']:4} rounds")
        print(line + (f"  WRONG: {c['wrong']}" if c["wrong"] else ""))
    for t in data["targets"]:
        wanted, verdict, value = words.target(t, data["unit"])
        print(f"   target of {t['of']}: {wanted}: {value}, {verdict.upper() if verdict != 'met' else verdict}")


def show_series(data):
    costs = "  ".join(f"{words.count(size)}: {words.figure(cost, data['unit'])}"
                      for size, cost in zip(data["sizes"], data["medians"]))
    fits = "" if data["fits"] else "  WORSE THAN n·log n"
    print(f"-- {data['what']}, by {data['of']}: {costs}; exponent {data['exponent']:.2f}{fits}")


def wrong_of_ours(suite):
    return [c["name"] for data in suite["comparisons"] for c in data["contestants"] if c["role"] == "ours" and c["wrong"]]


def summary(suites):
    missed, met = [], 0
    for name, suite in suites.items():
        for data in suite["comparisons"]:
            for t in data["targets"]:
                met += t["met"] is True
                if t["met"] is False:
                    wanted, _, value = words.target(t, data["unit"])
                    missed.append(f"{name}: {data['what']}: {t['of']}: {wanted}, is {value}")
    print(f"{met} targets met, {len(missed)} missed")
    for line in missed:
        print(f"  missed: {line}")
    for name, suite in suites.items():
        for ours in wrong_of_ours(suite):
            print(f"  WRONG: {name}: {ours}")
        if suite["failed"]:
            print(f"  WRONG: {name}: {suite['failed']}")
