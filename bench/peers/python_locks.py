# SPDX-License-Identifier: Apache-2.0
"""The locks of Python modules: one interface for all that are measured."""

import fcntl
import os


class FileLock:
    def __init__(self, path):
        import filelock
        self.lock = filelock.FileLock(path)
        self.acquire, self.release = self.lock.acquire, self.lock.release


class Portalocker:
    def __init__(self, path):
        import portalocker
        self.lock = portalocker.Lock(path, timeout=60, fail_when_locked=False)
        self.acquire, self.release = self.lock.acquire, self.lock.release


class Fasteners:
    def __init__(self, path):
        import fasteners
        self.lock = fasteners.InterProcessLock(path)
        self.acquire, self.release = self.lock.acquire, self.lock.release


class Fcntl:
    """The standard library alone: open, flock, close."""

    def __init__(self, path):
        self.path, self.file = path, None

    def acquire(self):
        self.file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self.file, fcntl.LOCK_EX)

    def release(self):
        os.close(self.file)


KINDS = {"filelock": FileLock, "portalocker": Portalocker, "fasteners": Fasteners, "fcntl": Fcntl}
