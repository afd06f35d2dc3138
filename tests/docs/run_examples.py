#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Executes the examples of Markdown documents, so that none of them can rot.

    run_examples.py [--holdfast PROGRAM] [--root TREE] [--shell SHELL] [--jobs N] [--verbose]
                    [--installed] [--also REASON] [--limit SECONDS] DOCUMENT...

The blocks of one document run in order in one shell (sh; --shell bash is another): variables and the working
directory carry on from block to block. The shell starts in a fresh, empty directory with a fresh HOME and
HOLDFAST_HOME and with `holdfast` on PATH; its standard input is empty. A document below examples/ finds a copy of
examples/ there. README.md and the manual are there to be followed by copy and paste on a new machine: they get no
HOLDFAST_HOME.

    ```console      `$ command`, more lines of it after `> `; below it what it prints, stdout and stderr.
                    `…` in a line stands for any text (in a table also for the blanks around it), a line that is
                    only `…` for any lines.
                    Each command must exit with 0. Another status is shown by the example itself, with
                    `$ holdfast alive "$ID"; echo $?`, with `|| …`, or by a next command `$ echo $?`
    ```sh           commands as they are pasted; each of them must exit with 0
    ```output       directly below such a block: what it prints, all of its commands together
    anything else   is not run

A line before the fence says more, as an HTML comment, which readers of the page do not see:

    <!-- not run: REASON -->      the block is shown only; without a reason it is an error
    <!-- needs: PROGRAM... -->    not run where one of them is missing (`python3:NAME` is a module); the answer is
                                  then `SKIP: …` and 4
    <!-- file: NAME -->           the block is written to the file NAME (with `, 755` behind it: with this mode)
    <!-- prepare                  what a page leaves to its reader (a script ./agent that is there), as lines of
    ...                           shell up to the end of the comment; each must exit with 0.
    -->

`prepare` is an error in README.md and in the manual.

For a machine made anew (fresh_machine.sh): --installed takes the `holdfast` that the shell finds on its own PATH,
--also runs the blocks that are marked `not run: REASON` with this reason too, --limit gives a command longer.

Every process that a document leaves behind is ended with it. Exit status: 0 all is as it says, 1 something is not,
4 all that was run is as it says, and something could not be run here.
"""

import argparse
import ctypes
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

ELLIPSIS = "…"
NO_PREPARATION = re.compile(r"^(README\.md|docs/manual(\.md|/.*))$")


class DocumentError(Exception):
    """The document itself breaks the convention: line and sentence."""

    def __init__(self, line, says):
        super().__init__(says)
        self.line = line
        self.says = says


class Step:
    """One command of a document: where it stands, its text, and the lines it must print (None: any)."""

    def __init__(self, line, text, expected=None, needs=()):
        self.line = line
        self.text = text
        self.expected = expected
        self.may_fail = False  # its status is shown by the next command
        self.needs = tuple(needs)
        self.begins_block = False  # of ```sh: what it and the next ones print is collected
        self.block_line = line  # where the ```output of the block stands, and what it says (on its last command)
        self.block_expected = None


# ---- reading a document --------------------------------------------------------------------------------------

HERE_DOCUMENT = re.compile(r"(?<!<)<<(?!<)(-?)\s*(?:'([^']+)'|\"([^\"]+)\"|\\?([A-Za-z_][A-Za-z0-9_]*))")


def is_complete(text):
    """Is this whole commands, and not the first lines of one?"""
    if text.rstrip("\n").endswith("\\"):
        return False
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        for found in HERE_DOCUMENT.finditer(lines[at]):
            word = found[2] or found[3] or found[4]
            at += 1
            while at < len(lines) and (lines[at].lstrip("\t") if found[1] else lines[at]) != word:
                at += 1
            if at >= len(lines):
                return False
        at += 1
    return subprocess.run(["sh", "-n"], input=text + "\n", text=True, stderr=subprocess.DEVNULL).returncode == 0


def split_commands(lines, first_line):
    """The commands of a block of shell, each with the number of its first line."""
    commands, pending, begin = [], [], first_line
    for offset, line in enumerate(lines):
        if not pending:
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            begin = first_line + offset
        pending.append(line)
        if is_complete("\n".join(pending)):
            commands.append((begin, "\n".join(pending)))
            pending = []
    if pending:
        raise DocumentError(begin, "this is not a whole command, or not shell:\n" + "\n".join(pending))
    return commands


SHOWS_STATUS = re.compile(r"echo\b[^;|&]*\$\?")


def console_steps(lines, first_line, needs):
    steps = []
    for offset, line in enumerate(lines):
        number = first_line + offset
        if line.startswith("$ "):
            steps.append(Step(number, line[2:], [], needs))
        elif not steps:
            if line.strip():
                raise DocumentError(number, "a console block begins with `$ command`")
        elif not steps[-1].expected and (line.startswith("> ") or line == ">") and not is_complete(steps[-1].text):
            steps[-1].text += "\n" + line[2:]
        elif not steps[-1].expected and steps[-1].text.endswith("\\"):
            steps[-1].text += "\n" + line
        else:
            steps[-1].expected.append(line)
    for step in steps:
        if not is_complete(step.text):
            raise DocumentError(step.line, "this is not a whole command, or not shell:\n" + step.text)
    for step, after in zip(steps, steps[1:]):
        step.may_fail = SHOWS_STATUS.match(after.text) is not None
    return steps


def shell_steps(lines, first_line, needs):
    steps = [Step(number, text, None, needs) for number, text in split_commands(lines, first_line)]
    if steps:
        steps[0].begins_block = True
    return steps


def file_step(spec, lines, number, needs):
    name, _, mode = (part.strip() for part in spec.partition(","))
    if not name or name.startswith("/") or ".." in name.split("/"):
        raise DocumentError(number, f"`file: {spec}` must name a file below the working directory")
    quoted = "'" + name.replace("'", "'\\''") + "'"
    body = "\n".join(lines)
    end = "END_OF_FILE"
    while end in body:
        end += "_"
    text = f"cat >{quoted} <<'{end}'\n{body}\n{end}\n"
    if mode:
        text += f"chmod {mode} {quoted}\n"
    return Step(number, text, None, needs)


COMMENT = re.compile(r"<!--\s*(not run|needs|file|prepare)\b:?\s*(.*?)\s*-->\s*$", re.DOTALL)
FENCE = re.compile(r"^( *)(`{3,}|~{3,})\s*(\S*)")


def read_document(path, name, also=()):
    """The steps of a document, in order, and how many blocks are marked as not run (for a reason not in `also`)."""
    lines = path.read_text(encoding="utf-8").split("\n")
    steps, not_run, at = [], 0, 0
    marks = {}  # what the comments directly above the next fence say
    above = None  # the last command of a block of shell, as long as nothing but blank lines came after it
    while at < len(lines):
        line = lines[at]
        if line.startswith("<!--"):
            begin = at
            while "-->" not in lines[at] and at + 1 < len(lines):
                at += 1
            comment = COMMENT.match("\n".join(lines[begin : at + 1]))
            at += 1
            if not comment:
                continue
            kind, rest = comment[1], comment[2]
            if kind == "prepare":
                if NO_PREPARATION.search(name):
                    raise DocumentError(begin + 1, "this page is followed by copy and paste: no hidden preparation")
                steps += shell_steps(lines[begin + 1 : at - 1] if at - begin > 1 else [rest], begin + 2,
                                     marks.pop("needs", "").split())
            elif not rest:
                raise DocumentError(begin + 1, f"`{kind}` without a word behind it")
            else:
                marks[kind] = rest
            continue
        fence = FENCE.match(line)
        if not fence:
            if line.strip():
                marks, above = {}, None
            at += 1
            continue
        indent, ticks, language = len(fence[1]), fence[2], fence[3]
        begin = at + 1
        at = begin
        while at < len(lines) and not (lines[at].strip().startswith(ticks) and not lines[at].strip(" `~")):
            at += 1
        if at == len(lines):
            raise DocumentError(begin, "a fence that is not closed")
        body = [text[indent:] if not text[:indent].strip() else text for text in lines[begin:at]]
        at += 1
        needs = marks.get("needs", "").replace(",", " ").split()
        last, above = above, None
        if "not run" in marks and marks["not run"] not in also:
            not_run += 1
        elif language == "output":
            if last is None:
                raise DocumentError(begin, "an output block without a block of commands directly above it")
            last.block_line, last.block_expected = begin + 1, body
        elif "file" in marks:
            steps.append(file_step(marks["file"], body, begin + 1, needs))
        elif language == "console":
            steps += console_steps(body, begin + 1, needs)
        elif language in ("sh", "bash", "shell"):
            more = shell_steps(body, begin + 1, needs)
            steps += more
            above = more[-1] if more else None
        marks = {}
    return steps, not_run


# ---- comparing -----------------------------------------------------------------------------------------------


def shown(lines):
    """For people: the lines below each other, the middle of very many left out."""
    lines = strip_end(lines) or ["(nothing)"]
    if len(lines) > 60:
        lines = lines[:30] + [f"[{len(lines) - 50} lines]"] + lines[-20:]
    return "\n            ".join(lines)


def strip_end(lines):
    lines = [line.rstrip() for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def line_matches(expected, actual):
    expected = re.sub(f"(?: {{2,}})?{ELLIPSIS}(?: {{2,}})?", ELLIPSIS, expected)  # columns of a table
    pattern = ".*?".join(re.escape(part) for part in expected.split(ELLIPSIS))
    return re.fullmatch(pattern, actual) is not None


def matches(expected, actual):
    """Lines against lines; `…` alone stands for any number of lines, none included."""
    expected, actual = strip_end(expected), strip_end(actual)
    reachable = {0}  # how many lines of `actual` may have been used up
    for line in expected:
        if line.strip() == ELLIPSIS:
            reachable = set(range(min(reachable), len(actual) + 1)) if reachable else set()
        else:
            reachable = {n + 1 for n in reachable if n < len(actual) and line_matches(line, actual[n])}
    return len(actual) in reachable


# ---- running -------------------------------------------------------------------------------------------------

# The shell reads the numbers of its commands from descriptor 8 and answers on 9; the commands see neither.
# `(exit N)` puts the status of the last command into $? for `echo $?` in the next.
DRIVER = """\
example_status=0
while read -r example_number <&8; do
  (exit "$example_status")
  . "$EXAMPLES_CONTROL/$example_number" </dev/null >"$EXAMPLES_CONTROL/$example_number.out" 2>&1 8<&- 9>&-
  example_status=$?
  echo "$example_status" >&9
done
"""


class Shell:
    def __init__(self, program, scratch, environment, directory, limit):
        self.limit = limit  # seconds that one command may take
        self.control = scratch / "control"
        self.control.mkdir()
        (self.control / "driver").write_text(DRIVER)
        orders, self.orders = os.pipe()
        self.answers, answers = os.pipe()

        def arrange():
            os.setsid()
            # Out of the way first: the new numbers may be those of the pipes.
            low, high = os.dup2(orders, 98, True), os.dup2(answers, 99, True)
            os.dup2(low, 8, True)
            os.dup2(high, 9, True)
            os.close(low)
            os.close(high)

        self.process = subprocess.Popen(
            [program, str(self.control / "driver")], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, cwd=directory, close_fds=False, preexec_fn=arrange,
            env={**environment, "EXAMPLES_CONTROL": str(self.control)})
        os.close(orders)
        os.close(answers)
        self.count = 0

    def run(self, text):
        """(status, output); the status is None where the command did not end in time, or ended the shell."""
        self.count += 1
        name = str(self.count)
        (self.control / name).write_text(text + "\n")
        output = self.control / (name + ".out")
        output.touch()
        try:
            os.write(self.orders, (name + "\n").encode())
        except BrokenPipeError:
            return None, "(the shell is gone)"
        end = time.monotonic() + self.limit
        status, why = None, f"(not ended after {self.limit} s)"
        while time.monotonic() < end:
            if select.select([self.answers], [], [], 0.05)[0]:
                answer = os.read(self.answers, 64)
                if answer:
                    status, why = int(answer), ""
                else:
                    why = "(it ended the shell)"
                break
            if self.process.poll() is not None:
                why = "(it ended the shell)"
                break
        said = output.read_text(encoding="utf-8", errors="replace")
        return status, said + ("\n" if said and why and not said.endswith("\n") else "") + why


def end_leftovers():
    """Ends every process that this one, which adopts orphans, still has below it."""
    while True:
        try:
            children = pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
            for child in children:
                try:
                    os.kill(int(child), signal.SIGKILL)  # a child of ours that was not waited for: no other has its number
                except ProcessLookupError:
                    pass
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def missing_of(needs, environment):
    for need in needs:
        if need.startswith("python3:"):
            there = subprocess.run(["python3", "-c", "import " + need[8:]], env=environment,
                                   stderr=subprocess.DEVNULL).returncode == 0
        elif need == "user":  # somebody who is not root
            there = os.geteuid() != 0
        else:
            there = shutil.which(need, path=environment["PATH"]) is not None
        if not there:
            return need
    return None


def run_document(options, path):
    """Runs one document in this process; prints what is wrong; returns 0, 1 or 4."""
    name = os.path.relpath(path, options.root)
    try:
        steps, not_run = read_document(pathlib.Path(path), name, options.also)
    except DocumentError as error:
        print(f"{name}:{error.line}: {error.says}")
        return 1

    PR_SET_CHILD_SUBREAPER = 36
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        print(f"{name}: cannot adopt what the examples leave behind: {os.strerror(ctypes.get_errno())}")
        return 1
    started = time.monotonic()
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-docs.")).resolve()
    wrong, ran, missing = 0, 0, {}
    try:
        work, home, bin_dir = scratch / "work", scratch / "home", scratch / "bin"
        for directory in (work, home, bin_dir):
            directory.mkdir()
        if not options.installed:
            (bin_dir / "holdfast").symlink_to(options.holdfast)
        if name.startswith("examples/"):
            shutil.copytree(os.path.join(options.root, "examples"), work / "examples")
        environment = {
            "PATH": f"{bin_dir}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": str(home),
            "LC_ALL": "C.UTF-8", "TZ": "UTC", "USER": os.environ.get("USER", "me"), "TERM": "dumb",
            "TMPDIR": str(scratch),
        }
        if not NO_PREPARATION.search(name):
            environment["HOLDFAST_HOME"] = str(scratch / "state")
            environment["HOLDFAST_TREE"] = os.path.abspath(options.root)  # what a page tells its reader to copy
        shell = Shell(options.shell, scratch, environment, work, options.limit)
        collected = ""
        for step in steps:
            need = missing_of(step.needs, environment) if step.needs else None
            if need:
                missing[need] = missing.get(need, 0) + 1
                continue
            status, output = shell.run(step.text)
            ran += 1
            collected = ("" if step.begins_block else collected) + output
            if options.verbose:
                print(f"{name}:{step.line}: [{status}] {step.text}\n{output}")
            line, expected, actual = step.line, step.expected, output.split("\n")
            good = status is not None and (step.may_fail or status == 0)
            if good and step.block_expected is not None:
                line, expected, actual = step.block_line, step.block_expected, collected.split("\n")
            if good and (expected is None or matches(expected, actual)):
                continue
            wrong += 1
            print(f"{name}:{line}: not as it says")
            print("  command:  " + step.text.replace("\n", "\n            "))
            print("  expected: " + ("exit status 0" if expected is None else shown(expected)))
            print("  actual:   " + shown(actual))
            print(f"  status:   {'none' if status is None else status}{'' if good else ', not 0'}")
            if status is None:
                print(f"{name}: the rest of it was not run")
                break
    finally:
        end_leftovers()
        shutil.rmtree(scratch, ignore_errors=True)
    only_shown = f", {not_run} blocks shown only" if not_run else ""
    verdict = "as it says" if not wrong else f"{wrong} NOT as it says"
    print(f"{name}: {ran} commands, {verdict}{only_shown} ({time.monotonic() - started:.1f} s)")
    if missing:
        lacks = ", ".join(f"{count} need {need}" for need, count in sorted(missing.items()))
        print(f"SKIP: {name}: commands that were not run, for what they need is missing: {lacks}")
    return 1 if wrong else 4 if missing else 0


def start(options, document, outputs):
    """Runs a document in a process of its own, and returns its number; what it says goes into a new one of `outputs`."""
    output = tempfile.TemporaryFile()
    outputs.append(output)
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
        status = run_document(options, document)
    except BaseException:  # the others go on
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def main():
    parser = argparse.ArgumentParser(description="Executes the examples of Markdown documents.")
    parser.add_argument("--holdfast", default=os.environ.get("HOLDFAST", "holdfast"))
    parser.add_argument("--root", default=str(pathlib.Path(__file__).resolve().parents[2]))
    parser.add_argument("--shell", default="sh")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--installed", action="store_true")
    parser.add_argument("--also", action="append", default=[], metavar="REASON")
    parser.add_argument("--limit", type=int, default=30, metavar="SECONDS")
    parser.add_argument("documents", nargs="+", metavar="DOCUMENT")
    options = parser.parse_args()
    if not options.installed:
        found = shutil.which(options.holdfast)
        if not found:
            sys.exit(f"run_examples.py: no such program: {options.holdfast}")
        options.holdfast = os.path.abspath(found)

    # A process for each document: what it leaves behind becomes that process's child, and nobody else's. It is forked,
    # for a Python that starts anew takes longer than a short page. The answers are told in the order of the documents.
    waiting = list(options.documents)
    outputs, told, running, over, answers = [], 0, {}, set(), set()
    while waiting or running:
        while waiting and len(running) < max(1, options.jobs):
            child = start(options, waiting.pop(0), outputs)
            running[child] = len(outputs) - 1
        child, status = os.wait()
        answers.add(os.waitstatus_to_exitcode(status))
        over.add(running.pop(child))
        while told in over:
            outputs[told].seek(0)
            sys.stdout.write(outputs[told].read().decode("utf-8", errors="replace"))
            sys.stdout.flush()
            told += 1
    sys.exit(0 if answers == {0} else 4 if answers <= {0, 4} else 1)


if __name__ == "__main__":
    main()
