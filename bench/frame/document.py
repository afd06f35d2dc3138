# SPDX-License-Identifier: Apache-2.0
"""docs/benchmarks.md and its plots, from the results. The reasons of missed targets are bench/missed.md, by suite."""

import pathlib

from frame import contract, plots, words

REASONS = pathlib.Path(__file__).resolve().parents[1] / "missed.md"

HEAD = """<!-- Made by `./dev bench` from its results; do not edit. -->

# Benchmarks

The contestants of a table were measured in one run, turn by turn (A B C C B A …), after a round that does not count, so that
a change of clock speed or load met all of them alike. Where that is not so, the words above the table say it; what holdfast
alone is asked for (memory, a count with its index, the cost by size under *Growth*) was measured by itself. A row has the
median, the quartiles, and two ratios: to the best peer that gave a right answer, and to the *floor*, which is the bare system
calls of the job in a small C program without any promise. It is the floor of that way to do the job: who finds another way,
or promises less, may be below it. What the contestants left behind was checked; a fast wrong answer is shown as wrong.

Compare ratios, not times: figures of two runs say more about the machines than about the tools. `./dev bench` measured all of
this in {minutes} minutes and wrote this page, `./dev bench --quick` shows in less than three that it works, and
`./dev bench SUITE` runs one suite. Nothing here is asserted in a test.
"""

# What the plot of a suite shows.
PICTURES = {"lock-wrapper": ("wrappers", "Time of a command that ends at once, under a lock and under a supervisor"),
            "replace": ("replace", "Time to replace a file by its size, with and without syncing"),
            "journal-append": ("append", "Events appended in a second by the number of writers"),
            "supervise-1000": ("memory", "Memory of the supervisors for each of a thousand idle commands")}


def write(results, docs):
    pictures = plots.draw(results)
    (docs / "benchmarks").mkdir(exist_ok=True)
    for old in (docs / "benchmarks").glob("*.svg"):
        old.unlink()
    for name, picture in pictures.items():
        (docs / "benchmarks" / f"{name}.svg").write_text(picture)
    seconds = sum(data["seconds"] for data in results["suites"].values())
    parts = [HEAD.format(minutes=max(1, round(seconds / 60))), machine(results), contract_table(results, pictures), missed(results)]
    parts += [suite(name, data, pictures) for name, data in results["suites"].items() if name != "growth"]
    parts += [growth(results, pictures), peers(results)]
    (docs / "benchmarks.md").write_text("\n".join(part for part in parts if part))


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def picture(name, pictures, about):
    return f"\n![{about}](benchmarks/{name}.svg)\n" if name in pictures else ""


def machine(results):
    m = results["machine"]
    dates = sorted({data["date"] for data in results["suites"].values()})
    load = next(iter(results["suites"].values()))["load_before"]
    rough = [name for name, data in results["suites"].items() if data["quick"]]
    virtual = " of a virtual machine" if m["virtual"] else ""
    says = (f"{measured_code(results)} on Linux {m['kernel']}, {m['processor']}, {m['processors']} processors{virtual}, "
            f"{m['memory_gib']} GiB of memory, {m['file_system']}; compiled by {m['compiler']}. Measured on "
            f"{' and '.join(dates)}; the load before the first suite was {load} (trees of thousands of processes raise the "
            "average before the suites behind them).")
    if rough:
        says += f" **Rough figures, from a quick run**: {', '.join(rough)}."
    return f"## The machine\n\n{says}\n"


def measured_code(results):
    """holdfast 0.1.0, revision abc; where suites were taken again with other code, which."""
    by_code = {}
    for name, data in results["suites"].items():
        code = data.get("code", {"version": "of an unknown version", "revision": "unknown"})
        by_code.setdefault(f"holdfast {code['version']}, revision {code['revision']}", []).append(name)
    if len(by_code) == 1:
        return f"{next(iter(by_code))},"
    return "; ".join(f"{code} ({', '.join(names)})" for code, names in by_code.items()) + ";"


def targets_of(results, key):
    for name, data in results["suites"].items():
        for comparison in data["comparisons"]:
            for target in comparison["targets"]:
                if target["row"] == key:
                    yield name, comparison, target


def contract_table(results, pictures):
    rows = []
    for key, (work, must) in contract.ROWS.items():
        if key in contract.NOT_BUILT:
            rows.append((work, must, contract.NOT_BUILT[key], "–"))
            continue
        found = list(targets_of(results, key))
        says = "; ".join(f"{target['label']}: {words.target(target, comparison['unit'])[2]}"
                         for _, comparison, target in found) or "not measured"
        met = all(target["met"] for _, _, target in found) if found else None
        rows.append((work, must, says, "–" if met is None else "met" if met else "**missed**"))
    return ("## What holdfast is held to\n\n" + table(("work", "must reach", "measured", ""), rows) +
            picture("contract", pictures, "Each target, and how far the figure is from it"))


def reasons():
    """{suite: text}, from the sections of bench/missed.md."""
    found, name = {}, None
    for line in REASONS.read_text().splitlines():
        if line.startswith("### "):
            name = line[4:].strip()
            found[name] = []
        elif name:
            found[name].append(line)
    return {name: "\n".join(lines).strip().replace("](../docs/", "](") for name, lines in found.items()}


def missed(results):
    why, parts = reasons(), []
    for name, data in results["suites"].items():
        lines = []
        for comparison in data["comparisons"]:
            lines += [f"- {comparison['what']}, {target['of']}: {words.target(target, comparison['unit'])[0]}, is "
                      f"{words.target(target, comparison['unit'])[2]}"
                      for target in comparison["targets"] if target["met"] is False]
        if lines:
            parts.append(f"**{name}**\n\n" + "\n".join(lines) + "\n\n" + why[name] + "\n")
    if not parts:
        parts = ["None.\n"]
    return "## Rows that are missed, and why\n\n" + "\n".join(parts)


def suite(name, data, pictures):
    parts = [f"## {name}\n\n{data['about']}\n"]
    if data["failed"]:
        parts.append(f"**This suite broke off: {data['failed']}**\n")
    if name in PICTURES:
        plot, shows = PICTURES[name]
        parts.append(picture(plot, pictures, shows).lstrip("\n"))
    parts += [comparison_table(comparison) for comparison in data["comparisons"]]
    return "\n".join(parts)


def comparison_table(data):
    rows = []
    for c in data["contestants"]:
        name = f"**{c['name']}**" if c["role"] == "ours" else f"*{c['name']}*" if c["role"] == "floor" else c["name"]
        if c["median"] is None:
            rows.append((name, "–", "–", "–", "–", f"**{c['wrong']}**" if c["wrong"] else f"absent: {c['note']}"))
            continue
        remarks = [c["note"]] if c["note"] else []
        if c["wrong"]:
            remarks.append(f"**wrong: {c['wrong']}**")
        for target in data["targets"]:
            if target["of"] == c["name"]:
                wanted, verdict, _ = words.target(target, data["unit"])
                remarks.append(f"{wanted}: {verdict if target['met'] else f'**{verdict}**'}")
        median, first, third = (words.figure(c[key], data["unit"]) for key in ("median", "first", "third"))
        spread = "–" if c["rounds"] < 2 else f"{first} – {third}"
        rows.append((name, median, spread, words.ratio(c["to_best"]), words.ratio(c["to_floor"]), "; ".join(remarks)))
    more = ", the more the better" if data["better"] == "more" else ""
    rounds = sorted({c["rounds"] for c in data["contestants"] if c["rounds"]})
    counted = ""
    if rounds and rounds[-1] > 1:
        counted = f" ({rounds[0]} to {rounds[-1]} rounds)" if len(rounds) > 1 else f" ({rounds[0]} rounds)"
    head = (f"{data['what']}{more}{counted}", "median", "quartiles", "to best peer", "to floor", "")
    return (f"{data['about']}\n\n" if data["about"] else "") + table(head, rows)


def growth(results, pictures):
    data = results["suites"].get("growth")
    if not data:
        return ""
    rows = []
    for series in data["comparisons"]:
        costs = ", ".join(f"{words.count(size)}: {words.figure(cost, series['unit'])}"
                          for size, cost in zip(series["sizes"], series["medians"]))
        rows.append((series["what"], series["of"], costs, f"{series['exponent']:.2f}",
                     "" if series["fits"] else "**worse than n·log n**"))
    text = reasons().get("growth", "")
    broken = f"\n**This suite broke off: {data['failed']}**\n" if data["failed"] else ""
    return (f"## Growth\n\n{data['about']}\n" + broken +
            picture("growth", pictures, "Cost by work, both logarithmic") + "\n" +
            table(("operation", "n is the number of", "cost", "exponent", ""), rows) + ("\n" + text + "\n" if text else ""))


def peers(results):
    versions = ", ".join(f"{name} {version}" for name, version in sorted(results["peers"].items()))
    absent = "; ".join(f"{name} ({why})" for name, why in sorted(results["absent"].items())) or "none"
    return f"## Peers\n\n{versions}.\n\nAbsent: {absent}.\n"
