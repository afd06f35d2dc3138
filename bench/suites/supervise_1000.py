# SPDX-License-Identifier: Apache-2.0
"""A thousand idle commands, each under its own supervisor (supervisord: one for all): memory of the supervisors (PSS, for
each command), how often they wake, processor time, and how long all of them take to start and to stop. Three rounds,
every second one backwards; without a warm-up, which would take a minute."""

import json
import os
import pathlib
import signal
import subprocess
import time

from frame import measure, processes
from frame.result import Comparison

COMMAND = "sleep"


def run(bench):
    count, watch, rounds = bench.pick((1000, 5, 3), (50, 1, 1))
    crews = {"holdfast run --detach": (None, Holdfast), "s6-svscan": ("s6", S6), "runsvdir": ("runit", Runit),
             "supervisord": ("supervisor", Supervisord)}
    absent = {name: why for name, (package, crew) in crews.items() if (why := why_not(bench, package, crew))}
    found = {name: [] for name in crews if name not in absent}
    for _, name in measure.in_turns(found, rounds, warm_up=False):
        with bench.place() as place:
            found[name].append(watched(crews[name][1](bench, place, count), count, watch))
    for key, what, unit, limit, label in (
            ("pss", "memory of the supervisors, for each command", "KiB", 1024, "each"),
            ("wakes", f"their wake-ups in {watch} s, all together", "", 0, f"wake-ups in {watch} s"),
            ("ticks", f"their processor time in {watch} s, all together", "ticks", 0, f"processor time in {watch} s"),
            ("start", f"{count} start", "us", 10e6, None),
            ("stop", f"{count} stop", "us", 5e6, None)):
        table = Comparison(what, unit, plot="memory" if key == "pss" else None)
        for name, (package, _) in crews.items():
            if name in absent:
                table.absent(name, absent[name])
                continue
            wrong = next((figures["wrong"] for figures in found[name] if figures["wrong"]), None)
            table.add(name, "ours" if not package else "peer", [figures[key] for figures in found[name]], wrong=wrong)
        yield table.target("holdfast run --detach", "<=", limit, row="sessions" if label else None, label=label)


def why_not(bench, package, crew):
    if package and not bench.peers.has(package):
        return bench.peers.why_not(package)
    if crew is S6 and bench.peers.is_unpacked("s6-svscan") and os.geteuid() != 0:
        return "it asks for its programs in /usr/bin, where only root can show them"
    return None


def watched(crew, count, seconds):
    began = time.monotonic()
    crew.start()
    try:
        wait_for(lambda: len(crew.commands()) >= count, 120, "the commands did not come up")
        started = time.monotonic() - began
        time.sleep(1)  # what a start still has to do is not idleness
        supervisors = crew.supervisors()
        figures = {"start": started * 1e6, "pss": sum(map(processes.pss_kib, supervisors)) / count}
        wakes, ticks = total(processes.switches, supervisors), total(ticks_of, supervisors)
        time.sleep(seconds)
        figures["wakes"] = total(processes.switches, supervisors) - wakes
        figures["ticks"] = total(ticks_of, supervisors) - ticks
        commands = {pid: processes.start_time(pid) for pid in crew.commands()}
    finally:
        began = time.monotonic()
        crew.stop()
    left = processes.wait_gone(commands, 30)
    figures["stop"] = (time.monotonic() - began) * 1e6
    figures["wrong"] = f"{len(left)} live on" if left else None
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    return figures


def total(figure, pids):
    return sum(map(figure, pids))


def ticks_of(pid):
    return processes.stat(pid).ticks


def wait_for(what, limit, why):
    until = time.monotonic() + limit
    while not what():
        measure.expect(time.monotonic() < until, why)
        time.sleep(0.05)


class Crew:
    """One program that starts all of them."""

    def __init__(self, bench, directory, count):
        self.bench, self.directory, self.count, self.root = bench, directory, count, None

    def services(self):
        for i in range(self.count):
            service = self.directory / "services" / f"s{i}"
            service.mkdir(parents=True)
            script = service / "run"
            script.write_text("#!/bin/sh\nexec sleep 3600\n")
            script.chmod(0o755)
        return self.directory / "services"

    def spawn(self, *argv):
        with open(self.directory / "log", "wb") as log:
            self.root = subprocess.Popen(list(map(str, argv)), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                         cwd=self.directory, start_new_session=True)

    def tree(self):
        return [(pid, processes.stat(pid)) for pid in processes.below(self.root.pid)]

    def commands(self):
        return [pid for pid, seen in self.tree() if seen and seen.command == COMMAND]

    def supervisors(self):
        return [pid for pid, seen in self.tree() if seen and seen.command != COMMAND]

    def stop(self):
        self.root.send_signal(self.end_signal)
        self.root.wait(timeout=120)


class S6(Crew):
    end_signal = signal.SIGTERM

    def start(self):
        self.spawn(*self.bench.peers.as_installed("s6-svscan"), "-c", self.count + 10, self.services())


class Runit(Crew):
    end_signal = signal.SIGHUP

    def start(self):
        self.spawn("runsvdir", self.services())


class Supervisord(Crew):
    end_signal = signal.SIGTERM

    def start(self):
        (self.directory / "conf").write_text(
            f"[supervisord]\nnodaemon=true\nminfds={4 * self.count + 100}\nlogfile=/dev/null\nlogfile_maxbytes=0\n"
            f"pidfile={self.directory}/pid\nchildlogdir={self.directory}\n"
            f"[program:bench]\ncommand=sleep 3600\nnumprocs={self.count}\nprocess_name=%(process_num)d\nstartsecs=0\n"
            "stdout_logfile=NONE\nstderr_logfile=NONE\n")
        self.spawn(self.bench.peers.python, self.bench.peers.program("supervisord"), "-c", self.directory / "conf")


class Holdfast(Crew):
    def start(self):
        line = f"seq {self.count} | xargs -P 2 -I '{{}}' '{self.bench.holdfast}' run --detach --name 's{{}}' -- sleep 3600"
        measure.timed(["sh", "-c", line])

    def records(self):
        return pathlib.Path(os.environ["HOLDFAST_HOME"], "sessions").glob("s*/session.json")

    def supervisors(self):
        return [json.loads(record.read_text())["supervisor"]["pid"] for record in self.records()]

    def commands(self):
        return [pid for supervisor in self.supervisors() for pid in processes.below_one(supervisor)]

    def stop(self):
        measure.timed([self.bench.holdfast, "-q", "stop", "--all", "--grace", "5"])
