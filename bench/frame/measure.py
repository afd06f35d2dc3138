# SPDX-License-Identifier: Apache-2.0
"""Measuring in turns: A B C C B A A B C …, so that a change of clock speed or load meets all of them alike."""

import select
import subprocess
import time

FEWEST_ROUNDS = 3
ANSWER_LIMIT = 60  # seconds that one turn of a contestant may take


class Wrong(Exception):
    """A result is not what it must be; the figures of such a run do not count."""


class Run:
    """What one contestant did: its values in order, the peak of memory in KiB, and why it does not count, if so."""

    def __init__(self, values=(), peak_kib=None, wrong=None):
        self.values, self.peak_kib, self.wrong = list(values), peak_kib, wrong

    def check(self, good, why):
        """What it left behind is wrong unless `good`; the first reason stays."""
        if not good and not self.wrong:
            self.wrong = why


def first_line(text):
    """What of an error is worth showing: the line that says Error, or the first."""
    lines = text.strip().splitlines() or ["no word"]
    return next((line for line in lines if "Error" in line), lines[0])[:120]


def fails(argv, stdin=None, limit=ANSWER_LIMIT):
    """Why the command does not work here, or None."""
    try:
        with open(stdin or "/dev/null", "rb") as given:
            done = subprocess.run([str(word) for word in argv], stdin=given, capture_output=True, text=True, timeout=limit)
    except (OSError, subprocess.TimeoutExpired) as error:
        return first_line(str(error))
    return f"exit {done.returncode}: {first_line(done.stderr)}" if done.returncode != 0 else None


def commands(bench, rounds, contestants, seconds=None, stdin=None, try_first=True):
    """Runs whole commands by turns, {name: argv}, at most `seconds`; {name: Run} with microseconds.

    One that fails when it is tried first takes no part, and its Run says why; where all are known to work and each takes
    long, that is left out.
    """
    results, words = {}, []
    for name, argv in contestants.items():
        why = fails(argv, stdin) if try_first else None
        if why is not None:
            results[name] = Run(wrong=f"failed: {why}")
            continue
        words += ([":::"] if words else []) + [name, *map(str, argv)]
    if not words:
        return results
    options = (["-t", str(seconds)] if seconds else []) + (["-i", str(stdin)] if stdin else [])
    done = subprocess.run([bench.interleave, *options, str(rounds), *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise Wrong(first_line(done.stderr))
    for line in done.stdout.splitlines():
        name, peak, values = line.split("\t")
        results[name] = Run(map(float, values.split()), int(peak))
    return results


class TurnTaker:
    """A process that does its work once for each line that it is sent (drivers/turns.h)."""

    def __init__(self, argv):
        self.process = subprocess.Popen([str(word) for word in argv], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.run = Run()
        self.answer("ready")

    def answer(self, expected=None):
        """Its next line; None, with the reason kept, where there is none."""
        ready, _, _ = select.select([self.process.stdout], [], [], ANSWER_LIMIT)
        line = self.process.stdout.readline().strip() if ready else ""
        if line and (expected is None or line == expected):
            return line
        self.give_up("no answer" if not ready else None)
        return None

    def turn(self):
        if self.run.wrong:
            return
        try:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        except OSError:
            self.give_up()
            return
        line = self.answer()
        if line is not None:
            self.run.values.append(float(line))

    def give_up(self, why=None):
        self.process.kill()
        _, errors = self.process.communicate()
        self.run.wrong = f"failed: {why or first_line(errors)}"

    def finish(self):
        """The end of its input: it checks what it left behind."""
        if self.run.wrong:
            return
        _, errors = self.process.communicate(timeout=ANSWER_LIMIT)
        if self.process.returncode != 0:
            self.run.wrong = f"wrong: {first_line(errors)}"


def turns(rounds, contestants, seconds=None, warm_up=1):
    """Lets processes take turns, {name: argv}; {name: Run} with what each of them measured of itself."""
    takers = {}
    try:
        for name, argv in contestants.items():
            takers[name] = TurnTaker(argv)
        order = list(takers.values())
        for _ in range(warm_up):
            for taker in order:
                taker.turn()
                taker.run.values.clear()
        until = time.monotonic() + (seconds or 1e9)
        for done in range(rounds):
            if done >= FEWEST_ROUNDS and time.monotonic() > until:
                break
            for taker in order:
                taker.turn()
            order.reverse()
        for taker in takers.values():
            taker.finish()
    finally:
        for taker in takers.values():
            if taker.process.poll() is None:
                taker.process.kill()
                taker.process.wait()
    return {name: taker.run for name, taker in takers.items()}


class Marker:
    """A command that leaves a line in a file: it shows whether a wrapper runs its command, and once."""

    def __init__(self, place):
        self.file, self.command = place / "marks", place / "mark"
        self.command.write_text(f"#!/bin/sh\necho ran >>'{self.file}'\n")
        self.command.chmod(0o755)

    def why_wrong(self, argv):
        """What is wrong with the wrapper that these words start, or None."""
        self.file.write_text("")
        why = fails(argv)
        ran = len(self.file.read_text().splitlines())
        return why or (f"its command ran {ran} times" if ran != 1 else None)


def driver(argv, limit=300):
    """Runs a program that takes the turns by itself; its lines `NAME <tab> VALUE VALUE …` as {name: values}."""
    done = subprocess.run([str(word) for word in argv], capture_output=True, text=True, timeout=limit)
    if done.returncode != 0:
        raise Wrong(first_line(done.stderr))
    lines = (line.split("\t") for line in done.stdout.splitlines())
    return {name: [float(value) for value in values.split()] for name, values in lines}


def in_turns(names, rounds, seconds=1e9, warm_up=True):
    """The turns of a suite that runs its contestants by itself: (it counts, name) for each. A first round warms up and does
    not count; every second one goes backwards; after the first that counts, none begins when `seconds` are over."""
    order, until = list(names), None
    for done in range(-1 if warm_up else 0, rounds):
        if done == 0:
            until = time.monotonic() + seconds
        if done > 0 and time.monotonic() > until:
            return
        for name in order:
            yield done >= 0, name
        order.reverse()


def timed(argv, limit=600, ok=(0,), **more):
    """Runs one command once: seconds, and what it printed."""
    began = time.monotonic()
    done = subprocess.run([str(word) for word in argv], capture_output=True, text=True, timeout=limit, **more)
    took = time.monotonic() - began
    if done.returncode not in ok:
        raise Wrong(f"{argv[0]}: exit {done.returncode}: {first_line(done.stderr)}")
    return took, done.stdout


def holds(path, content):
    """Whether the file is there, with these bytes."""
    return path.is_file() and path.read_bytes() == content


def expect(good, why):
    if not good:
        raise Wrong(why)
