#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every example of docs/cli, that is of the command table, of `holdfast help` and of the manual pages.

    run_cli_examples.py [--holdfast PROGRAM] [--root TREE] [--jobs N] [--verbose] [PAGE...]

The examples of one page run in order in one shell (bash, with pipefail), in a fresh directory with a fresh home. What
they speak of (an agent, a container engine, a session that was orphaned) are stand-ins, in cli_stand_ins.txt:

    [everywhere]        lines of shell, run before the first example of each page
    [PAGE]              the same, of one page (docs/cli/PAGE.md)
    [PAGE N]            run before example N of it
    @expect CODE...     in such a section: the exit codes that the example may have, in the place of 0
    @replace OLD NEW    the words that stand for what cannot be known before; NEW is expanded by the shell
    # …                 a comment

Two things are changed in each example: /mnt and /srv are directories of the scratch place, and the five columns of a
line for cron are left out. An example without a stand-in just has to exit with 0. A section for an example that is not
there is an error, so that none is left over.
"""

import argparse
import ctypes
import os
import pathlib
import re
import shutil
import sys
import tempfile
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import run_examples  # noqa: E402

LIMIT = 20  # seconds that one example may take
CRON = re.compile(r"^(?:[-*/,0-9]+ +){5}")
PLACES = re.compile(r"(?<![\w/.])/(mnt|srv)/")


def read_stand_ins(path):
    """{(page, number or None): (lines, codes, replacements)}"""
    sections, section = {}, None
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        head = re.fullmatch(r"\[([a-z-]+)(?: (\d+))?\]", line)
        if head:
            key = (head[1], int(head[2]) if head[2] else None)
            if key in sections:
                sys.exit(f"{path.name}:{number}: {line} is there twice")
            section = sections[key] = ([], [], [])
        elif line.startswith("@expect "):
            section[1].extend(int(code) for code in line.split()[1:])
        elif line.startswith("@replace "):
            section[2].append(line.split(maxsplit=2)[1:])
        elif line and not line.startswith("#"):
            section[0].append(line)
    return sections


def examples_of(page):
    """(line, text) of each block of shell below the heading Examples."""
    found, inside, block = [], False, None
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("## "):
            inside = line == "## Examples"
        elif inside and line == "```sh":
            block = []
        elif block is not None and line == "```":
            found.append((number - len(block), "\n".join(block)))
            block = None
        elif block is not None:
            block.append(line)
    return found


class Page:
    def __init__(self, options, page, stand_ins):
        self.options, self.name, self.stand_ins = options, page.stem, stand_ins
        self.examples = examples_of(page)
        self.wrong = 0

    def tell(self, line, text, says, output):
        self.wrong += 1
        print(f"docs/cli/{self.name}.md:{line}: {says}")
        print("  command:  " + text.replace("\n", "\n            "))
        print("  output:   " + run_examples.shown(output.split("\n")))

    def prepare(self, shell, key, line):
        lines, codes, replacements = self.stand_ins.get(key, ([], [], []))
        if lines:
            status, output = shell.run("set -e\n" + "\n".join(lines) + "\nset +e")
            if status != 0:
                self.tell(line, "\n".join(lines), f"its stand-in {key} failed ({status})", output)
        return codes or [0], replacements

    def run(self, scratch):
        work, bin_dir = scratch / "work", scratch / "bin"
        for directory in (work, scratch / "home", bin_dir, scratch / "mnt", scratch / "srv"):
            directory.mkdir()
        (bin_dir / "holdfast").symlink_to(self.options.holdfast)
        environment = {
            "PATH": f"{bin_dir}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(scratch / "home"),
            "LC_ALL": "C.UTF-8", "TZ": "UTC", "USER": "me", "TERM": "dumb", "TMPDIR": str(scratch),
            "HOLDFAST_HOME": str(scratch / "state"), "STAND_INS": str(bin_dir),
        }
        shell = run_examples.Shell("bash", scratch, environment, work, LIMIT)
        shell.run("set -o pipefail")  # an answer that goes into jq counts, too
        for key in (("everywhere", None), (self.name, None)):
            self.prepare(shell, key, 1)
        for number, (line, text) in enumerate(self.examples, 1):
            codes, replacements = self.prepare(shell, (self.name, number), line)
            order = PLACES.sub(lambda place: f"{scratch}/{place[1]}/", CRON.sub("", text))
            for old, new in replacements:
                status, said = shell.run(f'printf %s "{new}"')
                if old not in order or status != 0 or not said:
                    self.tell(line, text, f"`{old}` cannot be replaced by {new}", said)
                order = order.replace(old, said)
            status, output = shell.run(order)
            if self.options.verbose:
                print(f"docs/cli/{self.name}.md:{line}: [{status}] {order}\n{output}")
            if status not in codes:
                self.tell(line, order, f"exit status {status}, not {' or '.join(map(str, codes))}", output)
            if status is None:
                break
            shell.run("unset -f holdfast 2>/dev/null")  # a stand-in may have put something around it


def start(page):
    """A process for each page, so that what its examples leave behind becomes that process's child, and nobody else's."""
    output = tempfile.TemporaryFile()
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child, output
    os.dup2(output.fileno(), 1)
    os.dup2(output.fileno(), 2)
    PR_SET_CHILD_SUBREAPER = 36
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        print(f"cannot adopt what the examples leave behind: {os.strerror(ctypes.get_errno())}", flush=True)
        os._exit(1)
    began, wrong = time.monotonic(), 1
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-cli.")).resolve()
    try:
        page.run(scratch)
        wrong = page.wrong
    except Exception:  # the others go on
        traceback.print_exc()
    finally:
        run_examples.end_leftovers()
        shutil.rmtree(scratch, ignore_errors=True)
        if page.options.verbose:
            print(f"docs/cli/{page.name}.md: {time.monotonic() - began:.1f} s")
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(min(wrong, 100))


def main():
    parser = argparse.ArgumentParser(description="Runs the examples of docs/cli.")
    parser.add_argument("--holdfast", default=os.environ.get("HOLDFAST", "holdfast"))
    parser.add_argument("--root", default=str(pathlib.Path(__file__).resolve().parents[2]))
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("pages", nargs="*", metavar="PAGE")
    options = parser.parse_args()
    options.holdfast = os.path.realpath(shutil.which(options.holdfast) or sys.exit(f"no program {options.holdfast}"))
    stand_ins = read_stand_ins(pathlib.Path(__file__).resolve().parent / "cli_stand_ins.txt")
    pages = [Page(options, page, stand_ins) for page in sorted(pathlib.Path(options.root, "docs/cli").glob("*.md"))]

    known = {(page.name, number + 1) for page in pages for number in range(len(page.examples))}
    known |= {(page.name, None) for page in pages if page.examples} | {("everywhere", None)}
    wrong = 0
    for page, number in sorted(set(stand_ins) - known, key=str):
        print(f"cli_stand_ins.txt: there is no example [{page} {number}]")
        wrong += 1

    pages = [page for page in pages if page.examples and page.name in (options.pages or [page.name])]
    started, ran = time.monotonic(), sum(len(page.examples) for page in pages)
    running = []
    for page in pages + [None] * options.jobs:
        if page:
            running.append(start(page))
        if len(running) == options.jobs or (running and not page):
            child, output = running.pop(0)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            wrong += status if status >= 0 else 1
            output.seek(0)
            sys.stdout.write(output.read().decode("utf-8", errors="replace"))
    print(f"{ran} examples, {wrong} wrong ({time.monotonic() - started:.1f} s)")
    if not options.pages and ran < 150:
        sys.exit("too few: are they still found?")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
