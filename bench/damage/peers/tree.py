# SPDX-License-Identifier: Apache-2.0
"""The work that a deadline ends: a process with a plain child, a double-forked one and a daemon.

Each is named by its kind (/proc/PID/comm), and known by the environment that it inherited. They sleep for a minute, so
that what survives does not stay for ever.
"""

import os
import time


def become(kind):
    with open("/proc/self/comm", "w", encoding="ascii") as comm:
        comm.write(f"dmg-{kind}")
    time.sleep(60)
    os._exit(0)


def daemonise():
    """As daemon(3) and its like do: fork, a session of its own, fork again, nothing kept open."""
    if os.fork():
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    os.chdir("/")
    null = os.open("/dev/null", os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    become("daemon")


def double_fork():
    if os.fork() == 0:
        if os.fork() == 0:
            become("dfork")
        os._exit(0)


daemonise()
double_fork()
if os.fork() == 0:
    become("plain")
become("main")
