# SPDX-License-Identifier: Apache-2.0
"""lock_pair.py MODULE FILE BATCH: acquire and release of a free lock, in turns."""

import sys

from python_locks import KINDS
from turns import take_turns

lock = KINDS[sys.argv[1]](sys.argv[2])


def pair():
    lock.acquire()
    lock.release()


take_turns(int(sys.argv[3]), pair)
