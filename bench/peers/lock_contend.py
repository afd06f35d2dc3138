# SPDX-License-Identifier: Apache-2.0
"""lock_contend.py MODULE FILE PROCESSES HOLD_US THINK_US SECONDS: processes that want one lock.

Prints JSON: grants of each, the waits in microseconds, CPU seconds, and whether the stamped log of all of them shows two
inside at once.
"""

import json
import multiprocessing
import resource
import sys
import time

from python_locks import KINDS


def work(kind, path, begins, hold, think, seconds, results):
    lock = KINDS[kind](path)
    stamps, waits = [], []
    while time.monotonic() < begins:
        time.sleep(0.001)
    until = begins + seconds
    wanted = time.monotonic()
    while wanted < until:
        lock.acquire()
        got = time.monotonic()
        while time.monotonic() < got + hold:
            pass
        stamps.append((got, time.monotonic()))
        lock.release()
        waits.append((got - wanted) * 1e6)
        if think:
            time.sleep(think)
        wanted = time.monotonic()
    results.put((stamps, waits))


def main():
    kind, path = sys.argv[1:3]
    processes, hold_us, think_us = map(int, sys.argv[3:6])
    seconds = float(sys.argv[6])
    results = multiprocessing.Queue()
    begins = time.monotonic() + 0.3
    workers = [multiprocessing.Process(target=work, args=(kind, path, begins, hold_us / 1e6, think_us / 1e6, seconds, results))
               for _ in range(processes)]
    for worker in workers:
        worker.start()
    each = [results.get() for _ in workers]
    for worker in workers:
        worker.join()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    log = sorted(stamp for stamps, _ in each for stamp in stamps)
    overlaps = sum(1 for before, after in zip(log, log[1:]) if after[0] < before[1])
    print(json.dumps({"grants": [len(stamps) for stamps, _ in each], "waits": [wait for _, waits in each for wait in waits],
                      "cpu": used.ru_utime + used.ru_stime, "overlaps": overlaps}))


main()
