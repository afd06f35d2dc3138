# SPDX-License-Identifier: Apache-2.0
"""Contestants of "end the process that I noted": `note` while it lives, `command` to end it later."""

import subprocess

from common import box


class Killer:
    name = ""
    needs = ()
    modules = ()

    def daemon(self, place):
        """What is started, and must be ended later."""
        return ["sleep", "1000"]

    def note(self, pid, place, env):
        (place / "pid").write_text(f"{pid}\n")

    def command(self, place):
        raise NotImplementedError


class Holdfast(Killer):
    name = "holdfast"

    def note(self, pid, place, env):
        identity = subprocess.run([box.holdfast(), "identify", str(pid)], env=env, check=True, capture_output=True)
        (place / "id").write_bytes(identity.stdout)

    def command(self, place):
        return [box.holdfast(), "kill", f"@{place / 'id'}"]


class PidFile(Killer):
    name = "pid file and `kill`"

    def command(self, place):
        return ["sh", "-c", 'kill "$(cat "$1")"', "sh", place / "pid"]


class Pkill(Killer):
    """With -L, as its manual offers: the daemon keeps its pid file locked, and only then the number counts."""

    name = "pkill -L -F"
    needs = ("pkill", "flock")

    def daemon(self, place):
        return ["flock", "-F", place / "pid", "sleep", "1000"]

    def command(self, place):
        return ["pkill", "-L", "-F", place / "pid"]


class StartStopDaemon(Killer):
    name = "start-stop-daemon"
    needs = ("start-stop-daemon",)

    def command(self, place):
        return ["start-stop-daemon", "--stop", "--pidfile", place / "pid", "--exec", "/usr/bin/sleep"]


ALL = [Holdfast(), PidFile(), Pkill(), StartStopDaemon()]
