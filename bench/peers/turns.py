# SPDX-License-Identifier: Apache-2.0
"""Taking turns, as drivers/turns.h tells it, for peers that are Python modules."""

import sys
import time


def take_turns(batch, act):
    print("ready", flush=True)
    for _ in sys.stdin:
        began = time.perf_counter()
        for _ in range(batch):
            act()
        print(f"{(time.perf_counter() - began) * 1e6 / batch:.3f}", flush=True)
