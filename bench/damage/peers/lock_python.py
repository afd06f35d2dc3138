# SPDX-License-Identifier: Apache-2.0
"""filelock, portalocker and fasteners as their READMEs show them: LIBRARY LOCK WAIT CMD…"""

import contextlib
import subprocess
import sys


@contextlib.contextmanager
def held(library, path, wait):
    if library in ("filelock", "soft"):
        import filelock
        kind = filelock.FileLock if library == "filelock" else filelock.SoftFileLock
        try:
            with kind(path, timeout=wait):
                yield
        except filelock.Timeout:
            sys.exit(75)
    elif library == "portalocker":
        import portalocker
        try:
            with portalocker.Lock(path, timeout=wait):
                yield
        except portalocker.LockException:
            sys.exit(75)
    else:
        import fasteners
        lock = fasteners.InterProcessLock(path)
        if not lock.acquire(timeout=wait):
            sys.exit(75)
        try:
            yield
        finally:
            lock.release()


with held(sys.argv[1], sys.argv[2], float(sys.argv[3])):
    code = subprocess.run(sys.argv[4:], check=False).returncode
sys.exit(code if code >= 0 else 128 - code)
