#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A forked child neither keeps nor frees its parent's lock; two threads exclude each other; an object is no lock twice.
. "$(dirname -- "$0")/lib.inc"
expect_code 0 lite '
import os, threading
held = hf.lock("f", timeout=0).acquire()
r, w = os.pipe()
child = os.fork()
if child == 0:
    assert not held
    held.release()                      # does nothing: the lock is the parents
    os.write(w, b"x")
    os.execlp("sleep", "sleep", "300")  # outlives the parents hold
os.read(r, 1)
try:
    hf.lock("f", timeout=0).acquire()
    raise SystemExit("the child freed it")
except hf.Busy: pass
held.release()
with hf.lock("f", timeout=0): pass      # and does not keep it
os.kill(child, 9)
os.waitpid(child, 0)

inside, most = [], []
def work():
    for _ in range(20):
        with hf.lock("f"):
            inside.append(1); most.append(len(inside)); inside.pop()
threads = [threading.Thread(target=work) for _ in range(3)]
[t.start() for t in threads]; [t.join() for t in threads]
assert max(most) == 1, most

one = hf.lock("f").acquire()
try:
    one.acquire()
    raise SystemExit("taken twice")
except RuntimeError: pass
one.release(); one.release()
with hf.lock("f", timeout=0): pass
'
