#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/terminal.svg: what a real run of the lines below prints.

    record.py HOLDFAST >docs/terminal.svg

Each line runs in one shell, in a directory of its own with a home of its own. `./dev docs` calls it only if asked
(`./dev docs --picture`), because process ids and times differ from run to run.
"""
import html
import os
import pathlib
import subprocess
import sys
import tempfile

AGENT = "#!/bin/sh\necho working; setsid sh -c 'trap \"\" TERM; sleep 60' & sleep 60\n"
LINES = [
    "holdfast run --name fix-160 --timeout 2s --grace 1s -- ./agent",
    "holdfast show fix-160 | head -n 4",
    "holdfast lock deploy -- holdfast locks -q",
    "holdfast write config.json -- jq '.port = ' config.json; cat config.json",
    "holdfast journal query --type process.killed --last 1",
]
COLUMNS, LINE, CHAR, MARGIN = 100, 19, 8.4, 18


def record(holdfast):
    """The lines of the terminal: (is it typed, text)."""
    shown = []
    with tempfile.TemporaryDirectory() as place:
        agent = pathlib.Path(place, "agent")
        agent.write_text(AGENT)
        agent.chmod(0o755)
        pathlib.Path(place, "config.json").write_text('{"port":80}\n')
        bin_dir = pathlib.Path(place, "bin")
        bin_dir.mkdir()
        (bin_dir / "holdfast").symlink_to(holdfast)
        env = dict(os.environ, HOLDFAST_HOME=place + "/home", COLUMNS=str(COLUMNS),
                   PATH=f"{bin_dir}:{os.environ['PATH']}")
        for line in LINES:
            shown.append((True, line))
            done = subprocess.run(["bash", "-c", line], cwd=place, env=env, text=True, check=False,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            shown += [(False, text.rstrip().replace(place, "~")) for text in done.stdout.splitlines()]
    return shown


def draw(shown):
    rows = []
    for typed, text in shown:
        while True:
            rows.append((typed, text[:COLUMNS]))
            text = text[COLUMNS:]
            if not text:
                break
    width, height = COLUMNS * CHAR + 2 * MARGIN, len(rows) * LINE + 2 * MARGIN + 20
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
           'font-family="ui-monospace, monospace" font-size="14" role="img" aria-label="holdfast in a terminal">')
    yield f'<rect width="{width:.0f}" height="{height}" rx="10" fill="#0d1117"/>'
    for i, colour in enumerate(("#ff5f56", "#ffbd2e", "#27c93f")):
        yield f'<circle cx="{MARGIN + 4 + i * 18}" cy="18" r="5.5" fill="{colour}"/>'
    for i, (typed, text) in enumerate(rows):
        y = MARGIN + 34 + i * LINE
        colour = "#e6edf3" if typed else "#ffb757" if text.startswith("holdfast:") else "#9da7b3"
        prompt = '<tspan fill="#3fb950">$ </tspan>' if typed else ""
        yield (f'<text x="{MARGIN}" y="{y}" fill="{colour}" xml:space="preserve">{prompt}'
               f'{html.escape(text)}</text>')
    yield "</svg>"


if __name__ == "__main__":
    print("\n".join(draw(record(os.path.realpath(sys.argv[1])))))
