# SPDX-License-Identifier: Apache-2.0
"""atomicwrites as its README shows it: FILE gets the content of NEW."""

import sys

from atomicwrites import atomic_write

with open(sys.argv[2], encoding="utf-8") as new:
    content = new.read()
with atomic_write(sys.argv[1], overwrite=True) as file:
    file.write(content)
