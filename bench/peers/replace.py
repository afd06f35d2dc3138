# SPDX-License-Identifier: Apache-2.0
"""replace.py FILE BYTES BATCH: atomicwrites, which syncs the file and its directory, in turns."""

import pathlib
import sys

import atomicwrites
from turns import take_turns

file, size, batch = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
count = 0
content = b""


def replace():
    global count, content
    count += 1
    content = f"{10**9 + count}".encode() + bytes([97 + count % 26]) * (size - 10)
    with atomicwrites.atomic_write(str(file), mode="wb", overwrite=True) as staged:
        staged.write(content)


take_turns(batch, replace)
if file.read_bytes() != content:
    sys.exit("wrong content")
