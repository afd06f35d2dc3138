#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures holdfast beside other tools, in turns, in one run.

    run.py [--quick] [--json FILE] [--list] [SUITE...]
    run.py --document FILE

Without SUITE all of them run; a suite is a file of bench/suites. HOLDFAST is the program to measure; `./dev bench` builds
it and sets that. Each suite checks its results: a fast wrong answer is reported as wrong. --quick takes small sizes and
few rounds, under three minutes for everything: it shows that all works, its figures are rough. Any other run first waits
until the machine is idle, two minutes at most; the load is on the page.

The results go to --json FILE, else to bench/results/DATE.json for a full run of everything, which also writes
docs/benchmarks.md, and to build/bench.json for any other. Where FILE is there already, only what was measured now is
replaced in it. --document writes docs/benchmarks.md from FILE and measures nothing.

Exit status: 0 all suites ran and every answer of holdfast was right, whether or not a target was met; 1 otherwise.
"""

import argparse
import datetime
import importlib
import json
import os
import pathlib
import signal
import sys
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

from frame import document, machine, measure, terminal  # noqa: E402
from frame.bench import BUILD, TREE, Bench  # noqa: E402

# In the order of the document; what reads a big journal stands together.
SUITES = ["startup", "lock-uncontended", "lock-wrapper", "lock-contended", "lock-recovery", "run-wrapper", "tree-kill",
          "supervise-1000", "replace", "update-counter", "block-edit", "ensure-10k", "journal-append", "journal-query",
          "journal-verify", "gc-100k", "steps", "loop", "growth"]

QUIET, PATIENCE = 0.5, 120  # the load that a full run waits for, and for how many seconds


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--document", type=pathlib.Path, metavar="FILE")
    parser.add_argument("suites", nargs="*", metavar="SUITE")
    asked = parser.parse_args()
    for name in asked.suites:
        if name not in SUITES:
            parser.error(f"no suite '{name}'; they are: {' '.join(SUITES)}")
    return asked


def module_of(name):
    return importlib.import_module("suites." + name.replace("-", "_"))


def measured(bench, name):
    """The data of one suite. A suite that breaks off keeps what it had, and says why."""
    module, began = module_of(name), time.monotonic()
    comparisons, failed = [], None
    load = machine.load()
    print(f"== {name}", flush=True)
    try:
        for comparison in module.run(bench):
            comparisons.append(comparison.finish().to_data())
            terminal.show(comparisons[-1])
    except measure.Wrong as wrong:
        failed = str(wrong)
    except Exception as error:  # one broken suite must not take the others' figures with it
        traceback.print_exc()
        failed = f"{type(error).__name__}: {error}"
    if failed:
        print(f"{name}: WRONG: {failed}", flush=True)
    took = time.monotonic() - began
    print(f"   {took:.0f} s\n", flush=True)
    return {"about": " ".join(module.__doc__.split()), "comparisons": comparisons, "failed": failed,
            "load_before": load, "seconds": round(took, 1), "quick": bench.quick, "date": today(), "code": bench.code}


def wait_until_idle():
    if machine.load() >= QUIET:
        print(f"the load is {machine.load()}: waiting for {QUIET}, {PATIENCE} s at most", flush=True)
        machine.wait_until_idle(QUIET, PATIENCE)


def run_all(asked, file):
    """Measures, and keeps what there is after each suite: a run that is ended has not been for nothing."""
    holdfast = os.environ.get("HOLDFAST")
    if not holdfast:
        sys.exit("HOLDFAST must be the path of the program to measure; or use ./dev bench")
    names = asked.suites or SUITES
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):  # what was made is removed then, too
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    bench = Bench(holdfast, asked.quick)
    try:
        bench.peers.fetch()
        for peer, why in sorted(bench.peers.absent.items()):
            print(f"absent: {peer}: {why}")
        results = {"machine": machine.describe(BUILD), "peers": bench.peers.versions, "absent": bench.peers.absent,
                   "date": today(), "suites": json.loads(file.read_text())["suites"] if file.exists() else {}}
        if not asked.quick:
            wait_until_idle()
        for name in names:
            results["suites"][name] = measured(bench, name)
            keep(results, file)
    finally:
        bench.close()
    return results, {name: results["suites"][name] for name in names}


def keep(results, file):
    results["suites"] = {name: results["suites"][name] for name in SUITES if name in results["suites"]}
    file.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(results, indent=1, ensure_ascii=False)
    file.write_text(text.replace(str(TREE), "TREE") + "\n")  # an error may name a path of this machine


def today():
    return datetime.date.today().isoformat()


def main():
    asked = parse()
    if asked.list:
        for name in SUITES:
            print(f"{name:18}{' '.join(module_of(name).__doc__.split())[:100]}")
        return 0
    if asked.document:
        document.write(json.loads(asked.document.read_text()), TREE / "docs")
        return 0
    whole = not asked.quick and not asked.suites
    began = time.monotonic()
    file = asked.json or (HERE / "results" / f"{today()}.json" if whole else BUILD / "bench.json")
    results, now = run_all(asked, file)
    if whole:
        document.write(results, TREE / "docs")
    terminal.summary(now)
    print(f"{time.monotonic() - began:.0f} s; results: {file.relative_to(TREE) if file.is_relative_to(TREE) else file}")
    return 1 if any(suite["failed"] or terminal.wrong_of_ours(suite) for suite in now.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
