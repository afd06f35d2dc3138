#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The loop as it is found today: one short process for each tick of cron. NOT TO BE USED: ../README.md says what is
wrong with it, tests/examples/agent_loop_*.sh show it, and ../loop.toml does the same job.

    python3 loop.py

FORGE_URL is the address of the forge, AGENT the command of an agent (else ../agent.sh), LOOP_STATE the state file
(else ~/.agent-loop-state.json). With LOOP_CHECK_NAME=claude,node it kills only what has one of these names, which was
the first idea for a cure. LOOP_PAUSE is for the tests, which stop it at the bad moment.
"""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
STATE = Path(os.environ.get("LOOP_STATE") or Path.home() / ".agent-loop-state.json")
AGENT = os.environ.get("AGENT") or str(HERE.parent / "agent.sh")
NAMES = [name for name in os.environ.get("LOOP_CHECK_NAME", "").split(",") if name]
LIMIT = 3600
TRUSTED = ("ann", "bob")


def ask(method, path, body=None):
    request = urllib.request.Request(os.environ["FORGE_URL"] + path, method=method,
                                     data=None if body is None else json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


def comment(issue, text):
    ask("POST", f"/issues/{issue}/comments", {"body": text})


def load():
    try:
        return json.loads(STATE.read_text())
    except (OSError, ValueError):
        return None


def alive(pid):
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def kill(pid):
    if NAMES and Path(f"/proc/{pid}/comm").read_text().strip() not in NAMES:
        print(f"pid {pid} is no agent: not killed")
        return
    os.kill(pid, signal.SIGKILL)  # the number; whoever has it now, and nobody below it


def start(issue):
    ask("PATCH", f"/issues/{issue['number']}", {"labels": ["State/InProgress"]})
    agent = subprocess.Popen([AGENT, str(issue["number"])], stdin=subprocess.PIPE, start_new_session=True,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    agent.stdin.write(json.dumps(issue).encode())
    agent.stdin.close()
    pause("started")
    STATE.write_text(json.dumps({"pid": agent.pid, "issue": issue["number"], "started_at": time.time()}))
    print(f"started {agent.pid} for {issue['number']}")


# Merges every open pull request of an agent, and closes its issue.
def merge_all():
    for pull in ask("GET", "/pulls"):
        if pull["state"] != "open":
            continue
        issue = pull["head"].split("-")[1]
        ci = ask("GET", f"/commits/{pull['sha']}/status")["state"]
        if ci in ("pending", "running", "failure", "error"):
            continue
        try:
            ask("POST", f"/pulls/{pull['number']}/merge", {})
        except OSError:
            comment(issue, f"Automatic merge of PR #{pull['number']} failed. Please merge manually.")
            continue
        ask("PATCH", f"/issues/{issue}", {"state": "closed"})
        print(f"merged {pull['number']}, closed {issue}")


def tick():
    state = load()
    if state and alive(state["pid"]):
        if time.time() - state["started_at"] <= LIMIT:
            print(f"{state['pid']} is at work on {state['issue']}")
            return 0
        kill(state["pid"])
        STATE.unlink()
        ask("PATCH", f"/issues/{state['issue']}", {"labels": ["State/Question"]})
        comment(state["issue"], "The agent ran for more than an hour and was killed.")
        return 1
    if state:
        STATE.unlink()
    merge_all()
    for issue in ask("GET", "/issues"):
        if issue["state"] == "open" and "State/Ready" in issue["labels"] and issue["author"]["login"] in TRUSTED:
            pause("chosen")
            start(issue)
            break
    return 0


def pause(point):
    """For the tests: at the point that LOOP_PAUSE_POINT names, "I am here" and the word to go on, over two FIFOs."""
    at = os.environ.get("LOOP_PAUSE")
    if at and os.environ.get("LOOP_PAUSE_POINT") == point:
        with open(f"{at}.there", "w"):
            pass
        with open(f"{at}.go") as go:
            go.read()


sys.exit(tick())
