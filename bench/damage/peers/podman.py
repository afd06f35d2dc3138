#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A stand-in for podman, in order: it knows the containers that are named in DAMAGE_CONTAINERS, one a word."""

import hashlib
import json
import os
import re
import sys

names = os.environ["DAMAGE_CONTAINERS"].split()
words = sys.argv[1:]
store = os.environ["DAMAGE_STORE"]


def identity(name):
    return hashlib.sha256(name.encode()).hexdigest()


if words[0] == "info":
    print(json.dumps({"host": {"serviceIsRemote": False},
                      "store": {"graphRoot": store, "runRoot": store, "containerStore": {"number": len(names)}}}))
elif words[:2] == ["container", "exists"]:
    sys.exit(0 if any(words[-1] in (name, identity(name)) for name in names) else 1)
elif words[0] != "ps":
    sys.exit(125)
elif words[-1] == "json":
    print(json.dumps([{"Id": identity(name), "State": "running", "Names": [name]} for name in names]))
else:
    pattern = next((word.partition("=")[2] for word in words if word.startswith("name=")), "")
    for name in names:
        if re.search(pattern, name):
            print(identity(name)[:12] if "-aq" in words else name)
