# SPDX-License-Identifier: Apache-2.0
"""Which results become plots, and how."""

from frame import svg, words


def draw(results):
    """{file name: svg}; what was not measured gives no plot."""
    plots = {"contract": contract(results), "wrappers": wrappers(results), "replace": replace(results),
             "append": append(results), "memory": memory(results), "growth": growth(results)}
    return {name: plot for name, plot in plots.items() if plot}


def comparisons(results, suite):
    return [data for data in results["suites"].get(suite, {}).get("comparisons", []) if data.get("kind") != "series"]


def contract(results):
    """How far each target of the contract is from its limit: below 1 it is met."""
    rows = []
    for suite in results["suites"].values():
        for data in suite["comparisons"]:
            for target in data["targets"]:
                if not target["row"] or not target["value"] or not target["limit"]:
                    continue
                part = target["value"] / target["limit"]
                part = part if target["sign"] == "<=" else 1 / part
                kind = "met" if target["met"] else "missed"
                rows.append((f"{target['row']}: {target['label']}", part, kind, words.ratio(part)))
    return svg.bars("Distance to the target: shorter than the line is met (logarithmic)", rows, mark=(1, "target"),
                    log=True) if rows else None


def wrappers(results):
    rows = []
    for suite in ("lock-wrapper", "run-wrapper"):
        for data in comparisons(results, suite):
            rows += [(c["name"], c["median"], c["role"], words.figure(c["median"], data["unit"]))
                     for c in data["contestants"] if c["median"] and not c["wrong"] and "--name" not in c["name"]]
    return svg.bars("A command that ends at once, under a lock and under a supervisor", rows) if rows else None


SIZES = {"1 KiB": 1024, "64 KiB": 65536, "1 MiB": 1048576}


def replace(results):
    found = {}
    for data in comparisons(results, "replace"):
        if data["plot"] != "replace":
            continue
        size, level = data["what"].removeprefix("replace ").split(", ")
        for c in data["contestants"]:
            if c["median"] and not c["wrong"] and c["role"] != "beside":
                name = c["name"] if level in c["name"] else f"{c['name'].split(',')[0]}, {level}"
                found.setdefault((name, c["role"], level), []).append((SIZES[size], c["median"]))
    series = [(name, role + (" dashed" if level == "none" else ""), points) for (name, role, level), points in found.items()
              if len(points) > 1]
    return svg.lines("Replacing a file: synced with its directory (full), and not synced (none, dashed)", series, "size",
                     "time of one", lambda x: {v: k for k, v in SIZES.items()}[x],
                     lambda y: words.figure(y, "us")) if series else None


def append(results):
    found = {}
    for data in comparisons(results, "journal-append"):
        if data["plot"] != "append":
            continue
        _, event_class, writers = data["what"].split(", ")
        if event_class == "trace":
            continue
        for c in data["contestants"]:
            if c["median"] and "soon" not in c["name"]:
                found.setdefault((f"{c['name']}, {event_class}", c["role"], event_class), []).append(
                    (int(writers.split()[0]), c["median"]))
    series = [(name, role + (" dashed" if event_class == "event" else ""), points)
              for (name, role, event_class), points in found.items() if len(points) > 1]
    return svg.lines("Appending: decisions, on stable storage, and events, not synced (dashed)", series, "writers",
                     "events per second", str, words.digits) if series else None


def memory(results):
    for data in comparisons(results, "supervise-1000"):
        if data["plot"] == "memory":
            rows = [(c["name"], c["median"], c["role"], words.figure(c["median"], data["unit"]))
                    for c in data["contestants"] if c["median"]]
            return svg.bars("Memory of the supervisors for each of a thousand idle commands (PSS)", rows)
    return None


def growth(results):
    series = []
    for data in results["suites"].get("growth", {}).get("comparisons", []):
        if "flock" in data["what"]:
            continue
        first = data["medians"][0]
        points = [(size / data["sizes"][0], max(cost / first, 0.5)) for size, cost in zip(data["sizes"], data["medians"])]
        kind = f"hue{len(series) % svg.HUES}" if data["fits"] else "missed"
        series.append((f"{data['what']} ({data['exponent']:.2f})"[:40], kind, points))
    if not series:
        return None
    widest = max((points for _, _, points in series), key=len)
    series.append(("linear", "peer dashed", [(x, x) for x, _ in widest]))
    return svg.lines("Cost at 10, 100 and 1000 times the work, of the cost at once (exponent)", series, "work", "cost",
                     lambda x: f"{x:,.0f}×".replace(",", " "), lambda y: f"{words.digits(y)}×")
