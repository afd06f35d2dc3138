# SPDX-License-Identifier: Apache-2.0
"""What a suite is given: the programs, a place to work in, the peers that are here, and how much time there is."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile

from frame import machine, measure, peers

TREE = pathlib.Path(__file__).resolve().parents[2]
BUILD = TREE / "build"
SOURCES = TREE / "bench"


class Bench:
    def __init__(self, holdfast, quick):
        self.quick = quick
        self.code = machine.code(holdfast)
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="bench.", dir=BUILD))
        self.drivers = pathlib.Path(holdfast).resolve().parent / "bench"
        self.peers = peers.Peers()
        self.holdfast = self.root / "core" / "holdfast"  # as it ships
        self.holdfast.parent.mkdir()
        subprocess.run(["strip", "-o", self.holdfast, holdfast], check=True)
        self.read_from_disk = self._read_from_disk()
        self.interleave = self._compile("interleave")
        self.floor = self._compile("floor", "-static")
        self.gc_make = self._compile("gc_make")
        self.made = {}
        os.environ["PATH"] = self.peers.path()
        os.environ["PYTHONPATH"] = self.peers.python_path()
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        os.environ["NODE_PATH"] = self.peers.modules()
        for name in ("HOLDFAST_CHAIN", "HOLDFAST_RUN", "HOLDFAST_SESSION"):
            os.environ.pop(name, None)

    def _read_from_disk(self):
        """The program as it is after a reboot: a file that was just written lies in the page cache in large pieces, of which
        newer kernels map each at one fault; one that was read does not."""
        program = self.root / "core" / "holdfast-read"
        shutil.copy(self.holdfast, program)
        subprocess.run(["dd", f"of={program}", "oflag=nocache", "conv=notrunc,fdatasync", "count=0"], check=True,
                       capture_output=True)
        return program

    def _compile(self, name, *options):
        program = self.root / name
        subprocess.run(["cc", "-O2", "-Wall", "-Wextra", *options, "-o", program, SOURCES / "drivers" / f"{name}.c"],
                       check=True)
        return program

    def pick(self, full, quick):
        return quick if self.quick else full

    def driver(self, name, *words, **more):
        return measure.driver([self.drivers / name, *words], **more)

    def peer(self, script, *words):
        """The words that start a peer of bench/peers."""
        program = ["node"] if script.endswith(".js") else [self.peers.python]
        return [*program, SOURCES / "peers" / script, *words]

    @contextlib.contextmanager
    def place(self):
        """A fresh directory with a home of its own, on the file system of the tree; removed afterwards."""
        place = pathlib.Path(tempfile.mkdtemp(dir=self.root))
        before = os.environ.get("HOLDFAST_HOME")
        os.environ["HOLDFAST_HOME"] = str(place / "home")
        try:
            yield place
        finally:
            os.environ.pop("HOLDFAST_HOME")
            if before is not None:
                os.environ["HOLDFAST_HOME"] = before
            remove(place)

    @contextlib.contextmanager
    def own_file_system(self, gib):
        """A place on a fresh ext4 in a file: for hundreds of thousands of files, whose removal must not depend on how full
        or how mounted the tree's own file system is. Where it cannot be mounted, a plain place."""
        with self.place() as place:
            image, at = place / "image", place / "mounted"
            at.mkdir()
            with open(image, "wb") as file:
                file.truncate(gib << 30)
            made = [["mkfs.ext4", "-q", "-F", "-i", "2048", image], ["mount", "-o", "loop,noinit_itable", image, at]]
            self.on_own_file_system = all(peers.run([str(word) for word in words]).returncode == 0 for words in made)
            try:
                yield at
            finally:
                if self.on_own_file_system:
                    subprocess.run(["umount", at], check=True)

    def journal(self, events):
        """A home with a journal of so many events; made once, shared by the suites that only read it."""
        if events not in self.made:
            home = self.root / f"journal-{events}"
            measure.timed([self.holdfast, "--home", home, "journal", "append", "--type", "x.bench", "--data", "{}"])
            measure.timed([self.drivers / "hf_bench_journal", "make", home / "journal", events])
            os.sync()  # else the writing back is measured, too
            self.made[events] = home
        return self.made[events]

    def drop_journals(self):
        for home in self.made.values():
            remove(home)
        self.made.clear()

    def close(self):
        remove(self.root)


def remove(path):
    """rm -rf: shutil is slow on a hundred thousand directories."""
    subprocess.run(["rm", "-rf", "--", path], check=False)
