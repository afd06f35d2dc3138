# SPDX-License-Identifier: Apache-2.0
"""Small file systems of a fault's own. run.py has a mount namespace of its own, so nobody else sees them."""

import contextlib
import fcntl
import os
import struct
import subprocess

SHUTDOWN = 0x8004587D  # EXT4_IOC_SHUTDOWN and XFS_IOC_GOINGDOWN are the same number
WITHOUT_LOG_FLUSH = 2


def call(*words):
    subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def need_root():
    if os.geteuid() != 0:
        raise RuntimeError("only root can mount")


def show_unpacked(peers):
    """What was unpacked lies where it was built for, as if it were installed: some of it asks for its own path."""
    if (peers.root / "usr").is_dir():
        call(*peers.overlay())


@contextlib.contextmanager
def small(place, size):
    """A tmpfs of that many bytes, rounded up to pages."""
    need_root()
    place.mkdir(exist_ok=True)
    call("mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "damage", place)
    try:
        yield place
    finally:
        call("umount", "-l", place)


class Disk:
    """A file system of a kind (ext4, xfs) in an image, whose power can be cut."""

    def __init__(self, image, place, kind):
        need_root()
        self.image, self.place = image, place
        with open(image, "wb") as file:
            file.truncate(400 << 20)  # sparse; xfs wants at least 300 MiB
        call(f"mkfs.{kind}", "-q", image)
        place.mkdir(exist_ok=True)
        self.mount()

    def mount(self):
        call("mount", "-o", "loop", self.image, self.place)

    def unmount(self):
        call("umount", self.place)

    def cut_power(self):
        """Nothing that was not written out by now is there afterwards; then it is mounted again."""
        directory = os.open(self.place, os.O_RDONLY)
        try:
            fcntl.ioctl(directory, SHUTDOWN, struct.pack("I", WITHOUT_LOG_FLUSH))
        finally:
            os.close(directory)
        self.unmount()
        self.mount()
