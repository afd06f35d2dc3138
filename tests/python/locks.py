# SPDX-License-Identifier: Apache-2.0
"""FileLock beside the program, flock and other processes, and what must not go wrong."""

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import holdfast
from holdfast import FileLock, Timeout

PROGRAM = os.environ["HOLDFAST"]


def run(*argv, **options):
    return subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                          timeout=60, **options)


def python(source, **environment):
    return run(sys.executable, "-c", source, env={**os.environ, **environment})


def add_one(path, counter):
    for _ in range(10):
        with FileLock(path):
            with open(counter) as file:
                value = int(file.read())
            with open(counter, "w") as file:
                file.write(str(value + 1))


class Case(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name
        self.path = os.path.join(self.directory, "a.lock")


class BothWays(Case):
    def test_the_program_and_flock_see_it(self):
        with FileLock(self.path):
            self.assertEqual(run("flock", "-n", self.path, "true").returncode, 1)
            busy = run(PROGRAM, "lock", "-n", self.path, "--", "true")
            self.assertEqual(busy.returncode, 75)
            self.assertIn(f"pid {os.getpid()}", busy.stdout)  # on record
        self.assertEqual(run(PROGRAM, "lock", "-n", self.path, "--", "true").returncode, 0)

    def test_it_sees_them(self):
        for argv in (["flock", self.path], [PROGRAM, "lock", self.path, "--"]):
            holder = subprocess.Popen([*argv, "sh", "-c", "echo in; read _"], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE)
            self.assertEqual(holder.stdout.readline(), b"in\n")
            self.assertRaises(Timeout, FileLock(self.path).acquire, timeout=0.02)
            holder.communicate(b"\n")
            with FileLock(self.path, timeout=10):
                pass

    def test_processes_exclude_each_other(self):
        counter = os.path.join(self.directory, "counter")
        for method in ("fork", "spawn"):
            with open(counter, "w") as file:
                file.write("0")
            context = multiprocessing.get_context(method)
            with FileLock(self.path):
                workers = [context.Process(target=add_one, args=(self.path, counter)) for _ in range(2)]
                [worker.start() for worker in workers]
            [worker.join() for worker in workers]
            with open(counter) as file:
                self.assertEqual(file.read(), "20", method)

    def test_a_child_does_not_keep_the_lock_of_its_parent(self):
        ended = python(f"import os, holdfast\nlock = holdfast.FileLock({self.path!r})\nlock.acquire()\n"
                       "if os.fork() == 0:\n    os.close(1); os.close(2); import time; time.sleep(60)\n"
                       "os.kill(os.getpid(), 9)")
        self.assertEqual(ended.returncode, -signal.SIGKILL)
        FileLock(self.path).acquire(timeout=0).lock.release()


class Ends(Case):
    def test_an_interpreter_that_exits_frees_it(self):
        for how in ("", "raise SystemExit(0)", "import os; os._exit(0)", "import os; os.kill(os.getpid(), 9)"):
            python(f"import holdfast\nlock = holdfast.FileLock({self.path!r})\nlock.acquire()\n{how}")
            FileLock(self.path).acquire(timeout=0).lock.release()

    def test_an_interpreter_exits_while_a_thread_waits(self):
        with FileLock(self.path):
            ended = python(f"import holdfast, threading\nlock = holdfast.FileLock({self.path!r})\n"
                           "threading.Thread(target=lock.acquire, daemon=True).start()")
        self.assertEqual((ended.returncode, ended.stdout), (0, ""))

    def test_ctrl_c_ends_a_wait(self):
        with FileLock(self.path):
            ended = python(f"import holdfast, os, signal, threading\nlock = holdfast.FileLock({self.path!r})\n"
                           "try:\n    lock.acquire(timeout=0)\nexcept holdfast.Timeout: pass\n"
                           "threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
                           "try:\n    lock.acquire()\nexcept KeyboardInterrupt: print('stopped', lock.is_locked)")
        self.assertEqual(ended.stdout, "stopped False\n")

    def test_a_thread_that_ends_frees_what_it_holds(self):
        lock = FileLock(self.path)
        thread = threading.Thread(target=lock.acquire)
        thread.start()
        thread.join()
        FileLock(self.path).acquire(timeout=10).lock.release()

    def test_who_released_by_another_thread_is_no_deadlock(self):
        lock = FileLock(self.path, thread_local=False)
        lock.acquire()
        thread = threading.Thread(target=lock.release)
        thread.start()
        thread.join()
        with FileLock(self.path):
            pass

    def test_a_wait_lets_other_threads_run(self):
        first, second = FileLock(self.path, thread_local=False), FileLock(self.path, thread_local=False)
        first.acquire()
        waiter = threading.Thread(target=second.acquire)
        waiter.start()
        first.release()  # would never come if the wait kept the interpreter
        waiter.join(30)
        self.assertTrue(second.is_locked)
        second.release()

    def test_a_relative_name_is_that_of_now(self):
        here = os.getcwd()
        lock = FileLock("relative.lock")
        try:
            os.chdir(self.directory)
            with lock:
                self.assertTrue(os.path.exists(os.path.join(self.directory, "relative.lock")))
        finally:
            os.chdir(here)


class BadInput(Case):
    def test_names(self):
        self.assertRaises(ValueError, FileLock("a\0b").acquire)
        self.assertRaises(ValueError, FileLock(b"a\0b").acquire)
        self.assertRaises(FileNotFoundError, FileLock("").acquire)
        self.assertRaises(TypeError, FileLock, None)
        with FileLock(os.fsencode(self.path) + b"\xff"):
            self.assertTrue(os.path.exists(os.fsencode(self.path) + b"\xff"))

    def test_a_home_that_is_not_safe(self):
        os.symlink("/", os.path.join(self.directory, "home"))
        ended = python(f"import holdfast\ntry:\n    holdfast.FileLock({self.path!r}).acquire()\n"
                       "except holdfast.Refused as error:\n    print(error.code)",
                       HOLDFAST_HOME=os.path.join(self.directory, "home"))
        self.assertEqual(ended.stdout, "77\n")

    def test_every_code_has_its_exception(self):
        from holdfast._native import ERRORS
        self.assertEqual(sorted(ERRORS), [64, 65, 66, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 124])
        self.assertTrue(all(issubclass(kind, holdfast.Error) for kind in ERRORS.values()))

    def library(self, source):
        path = os.path.join(self.directory, "lib.so")
        with open(path + ".c", "w") as file:
            file.write(source)
        if run("sh", "-c", "command -v cc").returncode:
            self.skipTest("no C compiler")
        self.assertEqual(run("cc", "-shared", "-fPIC", "-o", path, path + ".c").returncode, 0)
        return python("try:\n    import holdfast\nexcept ImportError as error:\n    print(error)",
                      HOLDFAST_LIBRARY=path).stdout

    def test_a_library_of_another_abi_an_old_and_a_foreign_one(self):
        self.assertIn("has ABI 2", self.library("unsigned holdfast_abi(void) { return 2; }"))
        self.assertIn("too old", self.library(
            'unsigned holdfast_abi(void) { return 1; } const char *holdfast_version(void) { return "0"; }'))
        self.assertIn("no libholdfast", self.library("int other;"))

    def test_no_library(self):
        said = python("try:\n    import holdfast\nexcept ImportError as error:\n    print(error)",
                      HOLDFAST_LIBRARY="/nowhere.so").stdout
        self.assertIn("set HOLDFAST_LIBRARY", said)


if __name__ == "__main__":
    unittest.main()
