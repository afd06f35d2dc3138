# SPDX-License-Identifier: Apache-2.0
"""lock(), files, ledgers, the journal and identities."""

import asyncio
import json
import os
import subprocess
import tempfile
import threading
import unittest

import holdfast

PROGRAM = os.environ["HOLDFAST"]


def program(*argv):
    return subprocess.run([PROGRAM, *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)


class Locks(unittest.TestCase):
    def test_it_has_a_token_and_a_rising_fence(self):
        with holdfast.lock("deploy", timeout=0) as held:
            self.assertTrue(held)
            held.check()
            self.assertEqual(program("check", "deploy", "--token", held.token).returncode, 0)
            self.assertEqual(program("lock", "-n", "deploy", "--", "true").returncode, 75)
            fence = held.fence
            with self.assertRaises(holdfast.Busy) as caught:
                holdfast.lock("deploy", timeout=0).acquire()
            self.assertIn(f"pid {os.getpid()}", str(caught.exception))
            self.assertEqual((caught.exception.code, caught.exception.cause), (75, "timeout"))
        self.assertFalse(held)
        with self.assertRaises(holdfast.NotFound):
            held.release()
        with self.assertRaises(holdfast.NotFound):
            held.check()
        with held:
            self.assertGreater(held.fence, fence)

    def test_readers_share(self):
        with holdfast.lock("shared", shared=True), holdfast.lock("shared", shared=True, timeout=0):
            with self.assertRaises(holdfast.Busy):
                holdfast.lock("shared", timeout=0).acquire()

    def test_going_on_without_is_on_record(self):
        with holdfast.lock("open"):
            with holdfast.lock("open", timeout=0, fail_open={"timeout"}) as held:
                self.assertFalse(held)
            with self.assertRaises(holdfast.Busy), holdfast.lock("open", timeout=0, fail_open={"enospc"}):
                self.fail("ran without the lock")
        self.assertEqual(len(holdfast.Journal().query("lock.fail_open", where={"data.lock": "open"})), 1)

    def test_a_lease_is_renewed(self):
        with holdfast.lock("lease", ttl=0.3) as held:
            with self.assertRaises(holdfast.Busy):
                holdfast.lock("lease", timeout=1, on_expired="take").acquire()
            held.check()

    def test_who_lost_it_is_told(self):
        told = threading.Event()
        seen = []
        lock = holdfast.lock("lost", ttl=0.3, lost=lambda it: (seen.append(it), told.set()))
        with self.assertRaises(holdfast.Refused), lock:
            info = json.loads(program("locks", "lost", "--json").stdout)
            self.assertEqual(program("break", "lost", "--id", info["break_id"], "--reason", "a test").returncode, 0)
            self.assertTrue(told.wait(30))
            self.assertFalse(lock)
        self.assertEqual(seen, [lock])

    def test_a_child_does_not_hold_it(self):
        with holdfast.lock("forked") as held:
            pid = os.fork()
            if pid == 0:
                try:
                    held.check()
                except holdfast.Refused as error:
                    os._exit(0 if error.cause == "forked" else 1)
                os._exit(1)
            self.assertEqual(os.waitpid(pid, 0)[1], 0)

    def test_tasks_wait(self):
        async def body():
            async with holdfast.lock("task"):
                second = asyncio.ensure_future(holdfast.lock("task").__aenter__())
                await asyncio.sleep(0.02)
                self.assertFalse(second.done())
            (await asyncio.wait_for(second, 30)).release()

        asyncio.run(body())

    def test_bad_calls(self):
        for wrong in ({"kind": "x"}, {"on_expired": "x"}, {"yields": "x"}, {"reason": "a\0b"}):
            self.assertRaises(ValueError, holdfast.lock, "x", **wrong)
        self.assertRaises(ValueError, holdfast.lock, "a\0b")
        self.assertRaises(TypeError, holdfast.lock, "x", fail_open="timeout")
        self.assertRaises(holdfast.Usage, holdfast.lock, "")
        self.assertRaises(holdfast.Usage, holdfast.lock("x", ttl=0.001).acquire)


class Files(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = os.path.join(directory.name, "f")

    def read(self):
        with open(self.path, "rb") as file:
            return file.read()

    def test_a_file_is_whole_or_as_it_was(self):
        with holdfast.atomic_write(self.path, permissions=0o640) as file:
            file.write("grün\n")
            self.assertFalse(os.path.exists(self.path))
        self.assertEqual(self.read(), "grün\n".encode())
        self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o640)
        with self.assertRaises(KeyError), holdfast.atomic_write(self.path, "wb") as file:
            file.write(b"half")
            raise KeyError
        self.assertEqual(self.read(), "grün\n".encode())
        with self.assertRaises(holdfast.Corrupt):
            holdfast.replace(self.path, "{", check="json")
        with self.assertRaises(holdfast.Busy):
            holdfast.replace(self.path, "x", if_hash="absent")
        self.assertTrue(holdfast.replace(self.path, b"a\0b")["changed"])
        self.assertEqual(self.read(), b"a\0b")

    def test_no_update_is_lost(self):
        def add():
            for _ in range(10):
                holdfast.update(self.path, lambda old: str(int(old or b"0") + 1), create=True, durability="none", wait=30)

        threads = [threading.Thread(target=add) for _ in range(3)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        self.assertEqual(self.read(), b"30")
        self.assertIsNone(holdfast.update(self.path, lambda old: None))
        with self.assertRaises(ZeroDivisionError):
            holdfast.update(self.path, lambda old: str(1 // 0))
        self.assertEqual(self.read(), b"30")
        self.assertRaises(holdfast.NotFound, holdfast.update, self.path + "2", lambda old: old)

    def test_a_change_under_a_lost_lock_is_refused(self):
        lock = holdfast.lock("fence of a file").acquire()
        holdfast.replace(self.path, "1", fence=lock)
        lock.release()
        self.assertRaises(holdfast.Error, holdfast.replace, self.path, "2", fence=lock)
        self.assertEqual(self.read(), b"1")

    def test_blocks(self):
        block = holdfast.Block(self.path + ".sh", "mine")
        block.put("PATH=x\n", create=True)
        self.assertEqual(block.get(), "PATH=x\n")
        block.remove()
        self.assertRaises(holdfast.NotFound, block.get)

    def test_ledgers(self):
        ledger = holdfast.Ledger(self.path + ".jsonl")
        for number in range(4):
            ledger.append({"job": "nightly", "n": number}, cap=3)
        self.assertEqual([entry["n"] for entry in ledger.entries()], [1, 2, 3])
        self.assertEqual(ledger.last({"job": "nightly"}, within=3600)["n"], 3)
        self.assertIsNone(ledger.last(["job=other"]))
        with open(self.path + ".jsonl", "a") as file:
            file.write("{half\n")
        self.assertRaises(holdfast.Corrupt, ledger.append, {})
        ledger.repair()
        self.assertEqual(len(ledger.entries()), 3)

    def test_bad_calls(self):
        self.assertRaises(TypeError, holdfast.replace, self.path, 3)
        self.assertRaises(TypeError, holdfast.replace, self.path, "", no_such_option=True)
        self.assertRaises(ValueError, holdfast.replace, "a\0b", "")
        self.assertRaises(ValueError, holdfast.replace, self.path, "", durability="some")
        self.assertRaises(holdfast.Usage, holdfast.replace, self.path, "x", check="no such")
        with self.assertRaises(ValueError), holdfast.atomic_write(self.path, "r"):
            pass


class Processes(unittest.TestCase):
    def test_an_identity_is_killed_and_no_other(self):
        child = subprocess.Popen(["sleep", "60"])
        identity = holdfast.Identity.of(child.pid)
        self.assertTrue(holdfast.Identity(str(identity)).alive())
        threading.Thread(target=child.wait).start()
        self.assertEqual(identity.kill()["outcome"], "killed")
        child.wait()
        self.assertFalse(identity.alive())
        self.assertRaises(holdfast.NotFound, identity.kill)
        self.assertRaises(holdfast.Usage, holdfast.Identity("12").alive)
        self.assertTrue(holdfast.Identity.of().alive())

    def test_a_tree_is_killed_and_what_is_not_proven_is_said(self):
        child = subprocess.Popen(["sh", "-c", "sleep 60 & wait"])
        threading.Thread(target=child.wait).start()
        try:
            found = holdfast.Identity.of(child.pid).kill(tree=True)
        except holdfast.CannotTell as error:  # without a cgroup
            self.assertEqual(error.cause, "no-cgroup")
            found = error.document
        self.assertGreaterEqual(found["ended"], 1)
        child.wait()

    def test_the_journal(self):
        journal = holdfast.Journal()
        self.assertGreater(journal.append("x.deployed", {"to": "a"}, decision=True), 0)
        journal.append("x.deployed", {"to": "b"})
        found = journal.query("x.*", where={"data.to": "a"})
        self.assertEqual([event["data"]["to"] for event in found], ["a"])
        self.assertEqual(len(journal.query("x.*", limit=1, newest_first=True)), 1)
        self.assertRaises(holdfast.Usage, journal.append, "mine", {})


if __name__ == "__main__":
    unittest.main()
