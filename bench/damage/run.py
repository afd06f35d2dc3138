#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The damage scoreboard: holdfast and its peers through the same faults.

    HOLDFAST=build/release/holdfast bench/damage/run.py [--quick] [--only FAULT,…] [--contestant NAME,…]

Needs root (mounts, pid namespaces), and the peers, which bench/frame/peers.py fetches; a contestant that is not there is
`not run`, with the reason. See README.md for how it is built.
"""

import argparse
import concurrent.futures
import importlib
import json
import os
import pathlib
import random
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(HERE.parent)]  # the second for `frame`

from common import box, installed, mounts, report, verdict  # noqa: E402

FAULTS = [
    "killed_at_each_step", "disk_full", "file_system_shut_down", "planted_link", "two_writers", "stale_lock_recovered",
    "holder_stopped", "recycled_pid", "children_at_deadline", "dead_liveness_daemon", "malformed_markers",
    "torn_journal_tail",
]

TRIES = 3


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=30, help="how often a fault strikes, roughly (default 30)")
    parser.add_argument("--quick", action="store_true", help="few rounds: under a minute")
    parser.add_argument("--only", metavar="FAULT,…", help="of: " + ", ".join(FAULTS))
    parser.add_argument("--contestant", metavar="NAME,…", help="only these")
    parser.add_argument("--json", metavar="FILE", help="also write the result there, as JSON")
    parser.add_argument("--markdown", metavar="FILE", help="also write it there, as a document")
    parser.add_argument("--strict", action="store_true",
                        help="exit with 1 if a cell of holdfast is not intact or stale but valid, or was not run")
    return parser.parse_args()


def private_mounts():
    """Everything that is mounted here goes with this process: once again, in a mount namespace of its own, where the peers
    that were unpacked look installed."""
    if os.geteuid() != 0:
        return
    if os.environ.get("DAMAGE_INSIDE"):
        mounts.show_unpacked(box.PEERS)
        return
    os.environ["DAMAGE_INSIDE"] = "1"
    os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable, *sys.argv])


def play(fault, names, options):
    """Every contestant of a fault, as many at once as the fault says (one): {name: cell}."""
    chosen = [one for one in fault.CONTESTANTS if not names or one.name in names]
    with concurrent.futures.ThreadPoolExecutor(getattr(fault, "AT_ONCE", 1)) as pool:
        return dict(zip([one.name for one in chosen], pool.map(lambda one: cell_of(fault, one, options), chosen)))


def cell_of(fault, contestant, options):
    lacks = installed.lacks(contestant)
    if lacks:
        return verdict.not_run(f"{lacks} is not installed")
    rounds = max(2, options.rounds // 5) if options.quick else options.rounds
    began = time.monotonic()
    for broken_off in range(TRIES):
        rng = random.Random(f"{options.seed} {fault.TITLE} {contestant.name}")  # each try plays the same
        try:
            cell = fault.run(contestant, rng, rounds, options.quick)
            break
        except Exception as error:  # it could not be driven, which is no answer: a busy machine deserves another try
            if os.environ.get("DAMAGE_TRACE"):
                raise
            if isinstance(error, verdict.Unusable):
                cell = verdict.not_usable(str(error))
            else:
                cell = verdict.not_run(f"could not be driven: {error}")
    if broken_off:
        cell.count("tries that broke off", broken_off + (cell.verdict in verdict.NO_ANSWER))
    report.progress(fault, contestant, cell, time.monotonic() - began)
    return cell


def main():
    options = arguments()
    private_mounts()
    wanted = options.only.split(",") if options.only else FAULTS
    unknown = [name for name in wanted if name not in FAULTS]
    if unknown:
        raise SystemExit(f"no such fault: {', '.join(unknown)}")
    names = options.contestant.split(",") if options.contestant else []
    began = time.monotonic()
    faults = [(name, importlib.import_module(f"faults.{name}")) for name in wanted]
    results = [(name, fault, play(fault, names, options)) for name, fault in faults]
    run = report.Run(options.seed, options.rounds, options.quick, results, installed.describe(), time.monotonic() - began)
    print(report.text(run))
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(report.as_json(run), indent=2) + "\n")
    if options.markdown:
        pathlib.Path(options.markdown).write_text(report.markdown(run))
    if options.strict:
        bad = report.holdfast_fails(run)
        for line in bad:
            print(f"FAIL: {line}", file=sys.stderr)
        sys.exit(1 if bad or not results else 0)


if __name__ == "__main__":
    main()
