# SPDX-License-Identifier: Apache-2.0
"""lock_recover.py MODULE FILE ROUNDS: a process holds the lock and is killed while another waits for it. Prints the
microseconds from the kill to the grant, one line for each round."""

import multiprocessing
import os
import signal
import sys
import time

from python_locks import KINDS


def hold(kind, path, held):
    lock = KINDS[kind](path)
    lock.acquire()
    held.set()
    time.sleep(60)


def want(kind, path, granted):
    lock = KINDS[kind](path)
    lock.acquire()
    granted.put(time.monotonic())
    lock.release()


def main():
    kind, path, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    for _ in range(rounds):
        held, granted = multiprocessing.Event(), multiprocessing.Queue()
        holder = multiprocessing.Process(target=hold, args=(kind, path, held))
        holder.start()
        held.wait()
        waiter = multiprocessing.Process(target=want, args=(kind, path, granted))
        waiter.start()
        time.sleep(0.05)
        if not granted.empty():
            sys.exit("granted although it is held")
        killed = time.monotonic()
        os.kill(holder.pid, signal.SIGKILL)
        print((granted.get(timeout=30) - killed) * 1e6, flush=True)
        waiter.join()
        holder.join()


main()
