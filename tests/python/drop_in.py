# SPDX-License-Identifier: Apache-2.0
"""The public names of filelock, as programs use them. DROP_IN is the module: both must pass."""

import asyncio
import importlib
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

fl = importlib.import_module(os.environ["DROP_IN"])
FileLock, Timeout = fl.FileLock, fl.Timeout


class Case(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = os.path.join(directory.name, "a.lock")

    def flock_is_busy(self):
        return subprocess.call(["flock", "-n", self.path, "true"]) == 1


class Sync(Case):
    def test_with_holds_it_and_frees_it(self):
        lock = FileLock(self.path)
        with lock as inside:
            self.assertIs(inside, lock)
            self.assertTrue(lock.is_locked and lock.lock_counter == 1)
            self.assertTrue(self.flock_is_busy())
        self.assertFalse(lock.is_locked or self.flock_is_busy())
        self.assertEqual(lock.lock_file, self.path)

    def test_it_is_reentrant(self):
        lock = FileLock(pathlib.Path(self.path))
        with lock:
            with lock.acquire() as inside:
                self.assertIs(inside, lock)
                self.assertEqual(lock.lock_counter, 2)
            self.assertTrue(lock.is_locked)
        self.assertFalse(lock.is_locked)
        lock.release()  # does nothing

    def test_release_by_force(self):
        lock = FileLock(self.path)
        lock.acquire()
        lock.acquire()
        lock.release(force=True)
        self.assertEqual((lock.is_locked, lock.lock_counter), (False, 0))

    def test_the_proxy_releases_once(self):
        lock = FileLock(self.path)
        proxy = lock.acquire()
        self.assertIs(proxy.lock, lock)
        with proxy:
            self.assertEqual(lock.lock_counter, 1)
        self.assertFalse(lock.is_locked)

    def test_a_second_one_times_out(self):
        first, second = FileLock(self.path), FileLock(self.path)
        with first:
            for how in ({"timeout": 0}, {"timeout": 0.02}, {"blocking": False}):
                with self.assertRaises(Timeout) as caught:
                    second.acquire(**how)
                self.assertEqual(caught.exception.lock_file, self.path)
                self.assertEqual(str(caught.exception), f"The file lock '{self.path}' could not be acquired.")
                self.assertIsInstance(caught.exception, TimeoutError)
                self.assertFalse(second.is_locked)
                self.assertEqual(second.lock_counter, 0)
        second.acquire(timeout=0)
        second.release()

    def test_defaults_of_the_constructor(self):
        first, second = FileLock(self.path), FileLock(self.path, timeout=0)
        third = FileLock(self.path, blocking=False)
        with first:
            self.assertRaises(Timeout, second.acquire)
            self.assertRaises(Timeout, third.acquire)

    def test_properties_can_be_set(self):
        lock = FileLock(self.path, 3, 0o600)
        self.assertEqual((lock.timeout, lock.mode, lock.blocking, lock.poll_interval), (3, 0o600, True, 0.05))
        self.assertTrue(lock.has_explicit_mode and lock.is_thread_local() and not lock.is_singleton)
        lock.timeout, lock.blocking, lock.poll_interval = "2", False, 0.5
        self.assertEqual((lock.timeout, lock.blocking, lock.poll_interval), (2.0, False, 0.5))
        plain = FileLock(self.path)
        self.assertEqual((plain.timeout, plain.mode, plain.has_explicit_mode), (-1, 0o644, False))
        self.assertEqual((plain.context_error_policy, plain.close_error_policy), ("chain", "default"))
        self.assertTrue(plain.fallback_to_soft and not plain.preserve_lock_file and plain.on_acquired is None)

    def test_the_mode_is_that_of_the_file(self):
        with FileLock(self.path, mode=0o640):
            self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o640)

    def test_the_old_spelling_warns(self):
        lock = FileLock(self.path)
        with self.assertWarns(DeprecationWarning), lock.acquire(poll_intervall=0.01):
            pass

    def test_lifetime_is_refused_aloud(self):
        with self.assertWarns(UserWarning):
            self.assertIsNone(FileLock(self.path, lifetime=1).lifetime)
        self.assertRaises(TypeError, FileLock, self.path, lifetime="1")
        self.assertRaises(ValueError, FileLock, self.path, lifetime=-1)
        self.assertRaises(ValueError, FileLock, self.path, context_error_policy="no")
        self.assertRaises(ValueError, FileLock, self.path, close_error_policy="no")

    def test_a_decorator(self):
        lock = FileLock(self.path)

        @lock
        def inside(value):
            self.assertTrue(lock.is_locked)
            return value

        self.assertEqual(inside(7), 7)
        self.assertFalse(lock.is_locked)

    def test_singletons(self):
        one = FileLock(self.path, is_singleton=True)
        self.assertTrue(one.is_singleton)
        same = FileLock(os.path.join(os.path.dirname(self.path), ".", "a.lock"), is_singleton=True)
        self.assertIs(one, same)
        with self.assertRaises(ValueError):
            FileLock(self.path, timeout=7, is_singleton=True)
        self.assertIsNot(one, FileLock(self.path))

    def test_who_would_wait_for_itself_is_told(self):
        with FileLock(self.path), self.assertRaisesRegex(RuntimeError, "Deadlock"):
            FileLock(self.path).acquire()

    def test_a_check_cancels(self):
        first, second = FileLock(self.path), FileLock(self.path)
        asked = []
        with first, self.assertRaises(Timeout):
            second.acquire(timeout=60, poll_interval=0.01, cancel_check=lambda: asked.append(1) or len(asked) > 2)
        self.assertEqual(len(asked), 3)

    def test_thread_local_and_shared(self):
        for shared in (False, True):
            lock = FileLock(self.path, timeout=0, thread_local=not shared)
            seen = []
            with lock:
                thread = threading.Thread(target=lambda: seen.append(lock.is_locked))
                thread.start()
                thread.join()
            self.assertEqual(seen, [shared])

    def test_a_shared_one_is_released_by_another_thread(self):
        lock = FileLock(self.path, thread_local=False)
        lock.acquire()
        thread = threading.Thread(target=lock.release)
        thread.start()
        thread.join()
        self.assertFalse(lock.is_locked or self.flock_is_busy())

    def test_threads_exclude_each_other(self):
        counter = os.path.join(os.path.dirname(self.path), "counter")
        pathlib.Path(counter).write_text("0")
        lock = FileLock(self.path, poll_interval=0.001)

        def add():
            for _ in range(20):
                with lock:
                    value = int(pathlib.Path(counter).read_text())
                    pathlib.Path(counter).write_text(str(value + 1))

        threads = [threading.Thread(target=add) for _ in range(4)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        self.assertEqual(pathlib.Path(counter).read_text(), "80")

    def test_on_acquired_gets_a_descriptor_once(self):
        seen = []
        lock = FileLock(self.path, on_acquired=lambda fd: seen.append(os.write(fd, b"me")))
        with lock, lock:
            self.assertEqual(pathlib.Path(self.path).read_bytes(), b"me")
        self.assertEqual(seen, [2])

        def fails(_):
            raise KeyError("no")

        lock = FileLock(self.path, on_acquired=fails)
        self.assertRaises(KeyError, lock.acquire)
        self.assertFalse(lock.is_locked or self.flock_is_busy())

    def test_a_dropped_one_is_free(self):
        lock = FileLock(self.path)
        lock.acquire()
        del lock
        self.assertFalse(self.flock_is_busy())

    def test_errors_of_the_system(self):
        directory = os.path.dirname(self.path)
        self.assertRaises(IsADirectoryError, FileLock(directory).acquire)
        os.symlink(self.path, self.path + ".link")
        self.assertRaises(OSError, FileLock(self.path + ".link").acquire)
        with FileLock(os.path.join(directory, "new", "deep", "x.lock")) as lock:
            self.assertTrue(lock.is_locked)
        self.assertRaises(ValueError, FileLock(directory + "/a\0b").acquire)
        self.assertRaises(TypeError, FileLock, 3)

    def test_names_are_not_only_ascii(self):
        with FileLock(os.path.join(os.path.dirname(self.path), "grüß dich.lock")) as lock:
            self.assertTrue(os.path.exists(lock.lock_file))

    def test_a_removed_file_is_made_again(self):
        lock = FileLock(self.path)
        for _ in range(3):
            with lock:
                pass
            os.unlink(self.path)
        with lock:
            self.assertTrue(self.flock_is_busy())

    def test_a_forked_child_holds_nothing(self):
        lock = FileLock(self.path)
        lock.acquire()
        pid = os.fork()
        if pid == 0:
            good = not lock.is_locked and lock.lock_counter == 0
            lock.release(force=True)
            try:
                lock.acquire(timeout=0)
            except RuntimeError as error:
                good = good and "inherited across fork" in str(error)
            else:
                good = False
            try:
                FileLock(self.path).acquire(timeout=0)
            except Timeout:
                pass
            else:
                good = False
            os._exit(0 if good else 1)
        self.assertEqual(os.waitpid(pid, 0)[1], 0)
        self.assertTrue(lock.is_locked and self.flock_is_busy())
        lock.release()
        self.assertFalse(self.flock_is_busy())

    def test_timeout_can_be_pickled(self):
        again = pickle.loads(pickle.dumps(Timeout(self.path)))
        self.assertEqual((again.lock_file, repr(again)), (self.path, f"Timeout({self.path!r})"))

    @unittest.skipIf(sys.version_info < (3, 11), "needs groups of exceptions")
    def test_a_failed_release_hides_no_failed_body(self):
        lock = FileLock(self.path, context_error_policy="group")
        with self.assertRaises(KeyError), lock:
            raise KeyError("body")

    def test_a_subclass_with_its_own_option(self):
        class Mine(FileLock):
            def __init__(self, lock_file, timeout=-1, my_own="", **options):
                super().__init__(lock_file, timeout, **options)
                self.my_own = my_own

        with Mine(self.path, my_own="x") as lock:
            self.assertEqual(lock.my_own, "x")


class ReadWrite(Case):
    def test_readers_share_and_writers_do_not(self):
        one, two = (fl.ReadWriteLock(self.path, is_singleton=False) for _ in range(2))
        with one.read_lock(), two.read_lock():
            pass
        with one.read_lock():
            self.assertRaises(Timeout, two.acquire_write, blocking=False)
        with one.write_lock():
            self.assertRaises(Timeout, two.acquire_read, 0.02)
        with two.acquire_write():
            pass
        one.close()
        two.close()

    def test_up_and_down_are_refused(self):
        lock = fl.ReadWriteLock(self.path)
        self.assertIs(lock, fl.ReadWriteLock.get_lock(self.path))
        with lock.read_lock(), self.assertRaisesRegex(RuntimeError, "upgrade"):
            lock.acquire_write()
        with lock.write_lock(), self.assertRaisesRegex(RuntimeError, "downgrade"):
            lock.acquire_read()
        with lock.write_lock(), lock.write_lock():
            pass
        self.assertRaises(RuntimeError, lock.release)
        lock.release(force=True)
        lock.close()
        self.assertRaises(Exception, lock.acquire_read)


class Async(Case):
    def run_it(self, body):
        asyncio.run(asyncio.wait_for(body(), 30))

    def test_it_holds_and_frees(self):
        async def body():
            lock = fl.AsyncFileLock(self.path)
            async with lock as inside:
                self.assertIs(inside, lock)
                self.assertTrue(lock.is_locked and self.flock_is_busy())
                async with await lock.acquire() as again:
                    self.assertEqual(again.lock_counter, 2)
            self.assertFalse(lock.is_locked or self.flock_is_busy())
            with self.assertRaises(NotImplementedError):
                lock.__enter__()
            await lock.acquire()
            await lock.release(force=True)
            self.assertTrue(lock.run_in_executor and lock.executor is None and lock.loop is None)
            self.assertFalse(lock.is_thread_local())

        self.run_it(body)

    def test_a_wait_leaves_the_loop_alone(self):
        async def body():
            first, second = fl.AsyncFileLock(self.path), fl.AsyncFileLock(self.path)
            with self.assertRaises(Timeout):
                async with first:
                    await second.acquire(timeout=0.05)
            await first.acquire()
            waiting = asyncio.ensure_future(second.acquire())
            await asyncio.sleep(0.05)
            self.assertFalse(waiting.done())
            await first.release()
            await waiting
            self.assertTrue(second.is_locked)
            await second.release()

        self.run_it(body)

    def test_a_cancelled_wait_holds_nothing(self):
        async def body():
            first, second = fl.AsyncFileLock(self.path), fl.AsyncFileLock(self.path)
            await first.acquire()
            waiting = asyncio.ensure_future(second.acquire())
            await asyncio.sleep(0.05)
            waiting.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await waiting
            await first.release()
            self.assertFalse(second.is_locked or self.flock_is_busy())
            async with second:
                pass

        self.run_it(body)


if __name__ == "__main__":
    warnings.simplefilter("error", ResourceWarning)
    unittest.main()
