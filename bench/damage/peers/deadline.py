# SPDX-License-Identifier: Apache-2.0
"""Contestants of "end it at the deadline".

`start(argv, place, env)` begins the work under the contestant; `stop(place, env)` is what is done at the deadline. A
wrapper with a deadline of its own does nothing there. It answers the code and whether that claims that all is over.
"""

import signal
import time

from common import box

DEADLINE = 1.0


class Wrapper:
    """A command with a deadline of its own; `over` is the code by which it says that the deadline fired."""

    name = ""
    needs = ()
    modules = ()
    over = (124,)

    def words(self, argv):
        raise NotImplementedError

    def start(self, argv, place, env):
        self.process = box.start(self.words(argv), env, cwd=place, **box.MUTE)

    def stop(self, place, env):
        code = box.finish(self.process, 30).code
        return code, code in self.over

    def end(self, place, env):
        pass


class Holdfast(Wrapper):
    name = "holdfast"

    def words(self, argv):
        return [box.holdfast(), "run", "--timeout", f"{DEADLINE}s", "--grace", "1s", "--", *argv]


class Timeout(Wrapper):
    name = "timeout -k"
    needs = ("timeout",)
    inside = ()

    def words(self, argv):
        return ["timeout", "-k", "1", str(DEADLINE), *self.inside, *argv]


class Bubblewrap(Timeout):
    name = "bubblewrap"
    needs = ("timeout", "bwrap")
    inside = ("bwrap", "--dev-bind", "/", "/", "--proc", "/proc", "--unshare-pid", "--die-with-parent", "--")


class Unshare(Timeout):
    """It ignores TERM as long as it waits, so the KILL of `timeout -k` is what ends it: 137."""

    name = "unshare --kill-child"
    needs = ("timeout", "unshare")
    over = (124, 137)
    inside = ("unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "--")


class Tini(Wrapper):
    """It has no deadline: TERM is sent to it then."""

    name = "tini -s -g"
    needs = ("tini",)
    over = (143,)

    def words(self, argv):
        return ["tini", "-s", "-g", "--", *argv]

    def stop(self, place, env):
        time.sleep(DEADLINE)
        self.process.send_signal(signal.SIGTERM)
        return super().stop(place, env)


class Service:
    """A supervisor of services, stopped at the deadline by its own command."""

    name = ""
    needs = ()
    modules = ()

    def prepare(self, argv, place):
        """The service directory of s6 and runit."""
        service = place / "service"
        service.mkdir()
        run = service / "run"
        run.write_text("#!/bin/sh\nexec " + " ".join(f"'{word}'" for word in argv) + "\n")
        run.chmod(0o755)
        (service / "timeout-kill").write_text("1000\n")  # of s6: KILL a second after TERM

    def start(self, argv, place, env):
        self.prepare(argv, place)
        self.process = box.start(self.supervisor, env, cwd=place, **box.MUTE)

    def stop(self, place, env):
        time.sleep(DEADLINE)
        code = box.run(self.stopping, env, 30, cwd=place).code
        return code, code == 0

    def end(self, place, env):
        box.run(self.ending, env, 30, cwd=place)
        try:
            self.process.wait(10)
        except Exception:
            box.end_group(self.process)


class S6(Service):
    name = "s6"
    needs = ("s6-supervise", "s6-svc")
    supervisor = ("s6-supervise", "service")
    stopping = ("s6-svc", "-wD", "-T", "5000", "-d", "service")
    ending = ("s6-svc", "-xd", "service")


class Runit(Service):
    name = "runit"
    needs = ("runsv", "sv")
    supervisor = ("runsv", "service")
    stopping = ("sv", "-w", "5", "force-stop", "./service")
    ending = ("sv", "force-shutdown", "./service")


class Supervisor(Service):
    name = "supervisor"
    needs = ("supervisord", "supervisorctl")
    supervisor = ("supervisord", "-n", "-c", "supervisord.conf")
    stopping = ("supervisorctl", "-c", "supervisord.conf", "stop", "work")
    ending = ("supervisorctl", "-c", "supervisord.conf", "shutdown")

    def prepare(self, argv, place):
        (place / "supervisord.conf").write_text(f"""[unix_http_server]
file={place}/socket
[supervisord]
logfile={place}/log
pidfile={place}/pid
[rpcinterface:supervisor]
supervisor.rpcinterface_factory = supervisor.rpcinterface:make_main_rpcinterface
[supervisorctl]
serverurl=unix://{place}/socket
[program:work]
command={' '.join(map(str, argv))}
stopasgroup=true
killasgroup=true
stopwaitsecs=2
autorestart=false
""")


ALL = [Holdfast, Timeout, Tini, Bubblewrap, Unshare, S6, Runit, Supervisor]
