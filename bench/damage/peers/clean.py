# SPDX-License-Identifier: Apache-2.0
"""Contestants of "remove the directories of sessions whose container is gone"; podman is asked."""

import json

from common import box


class Cleaner:
    """`make(name)` a session with a directory, whose container has that name; `command` cleans up."""

    name = ""
    needs = ()
    modules = ()

    def make(self, name, scratch, env):
        directory = scratch / "sessions" / name
        directory.mkdir(parents=True)
        return directory

    def command(self, scratch):
        raise NotImplementedError


class Holdfast(Cleaner):
    name = "holdfast"

    def make(self, name, scratch, env):
        made = box.run([box.holdfast(), "workspace", "new", name, "--authority", f"podman:{name}", "--owner", "none",
                        "--json"], dict(env, DAMAGE_CONTAINERS=""))  # the container is made behind it
        if not made.claimed:
            raise RuntimeError(made.said())
        answer = json.loads(made.out)
        box.run([box.holdfast(), "workspace", "detach", name, "--token", answer["token"]], env)
        return scratch / "home" / "sessions" / name

    def command(self, scratch):
        return [box.holdfast(), "gc", "--grace", "0", "--probe-timeout", "2s"]


class EachIdiom(Cleaner):
    name = "`podman ps | grep || rm -rf`"

    def command(self, scratch):
        return ["sh", "-c", """for dir in "$1"/*/; do
  podman ps -aq --filter "name=^$(basename "$dir")$" | grep -q . || rm -rf "$dir"
done""", "sh", scratch / "sessions"]


class ListIdiom(Cleaner):
    name = "`live=$(podman ps)` and `rm -rf`"

    def command(self, scratch):
        return ["sh", "-c", """live=$(podman ps -a --format '{{.Names}}')
for dir in "$1"/*/; do
  echo "$live" | grep -qx "$(basename "$dir")" || rm -rf "$dir"
done""", "sh", scratch / "sessions"]


class CheckedIdiom(Cleaner):
    """The same, by somebody who looks at the exit status."""

    name = "`live=$(podman ps)` under `set -e`"

    def command(self, scratch):
        return ["sh", "-ec", ListIdiom().command(scratch)[2], "sh", scratch / "sessions"]


ALL = [Holdfast(), EachIdiom(), ListIdiom(), CheckedIdiom()]
