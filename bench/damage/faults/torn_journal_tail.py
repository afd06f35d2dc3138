# SPDX-License-Identifier: Apache-2.0
"""The last record of a log is cut off at each of its bytes, as by a crash; then another record is appended."""

import concurrent.futures
import shutil

from common import box, contents
from common.verdict import DAMAGED, INTACT, SILENT, STALE, Cell, must_work
from peers import append

TITLE = "torn journal tail"
DONE = ("a log of some records is cut at each byte of what its last append wrote; then one more record is appended")
DAMAGE = ("an earlier record, or the one that was appended afterwards, cannot be read; an append that is refused until "
          "somebody mends the log is stale but valid")
CONTESTANTS = append.ALL
VARIES = False
RECORDS = 4


def run(contestant, rng, rounds, quick):
    cell = Cell(counts={"cuts": 0, "lost records": 0})
    values = [f"{rng.getrandbits(64):016x}" for _ in range(RECORDS + 1)]
    with box.box() as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
        env = box.environment(scratch)
        whole = scratch / "whole"
        whole.mkdir()
        contestant.prepare(whole, env)
        sizes = []
        for value in values[:-1]:
            ended = box.run(contestant.command(whole, value), env, cwd=whole)
            must_work(ended.claimed, ended)
            sizes.append(contestant.file(whole).stat().st_size)
        cuts = contents.spread(range(sizes[-2], sizes[-1]), 8 if quick else 100 * rounds)

        def cut(size):
            place = scratch / str(size)
            shutil.copytree(whole, place)
            with open(contestant.file(place), "r+b") as file:
                file.truncate(size)
            ended = box.run(contestant.command(place, values[-1]), env, cwd=place)
            found = contestant.values(place)
            shutil.rmtree(place)
            return size, ended, found

        for size, ended, found in pool.map(cut, cuts):
            cell.count("cuts")
            wanted = values[:RECORDS - 1] + (values[-1:] if ended.claimed else [])
            lost = [value for value in wanted if value not in found]
            cell.count("lost records", len(lost))
            if lost:
                cell.note(SILENT if ended.claimed else DAMAGED, f"cut after {size - sizes[-2]} of "
                          f"{sizes[-1] - sizes[-2]} bytes: the record that was appended next cannot be read"
                          if lost == values[-1:] else f"cut after {size - sizes[-2]} bytes: earlier records are gone")
            elif not ended.claimed:
                cell.count("refused")
                cell.note(STALE, "nothing can be appended until the log is mended")
            else:
                cell.note(INTACT)
    return cell
