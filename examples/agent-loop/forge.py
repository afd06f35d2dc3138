#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A small forge on the loopback interface: issues, pull requests, CI states, one bare git repository.

    python3 forge.py DIRECTORY

makes DIRECTORY/repo.git where it is missing, listens on a free port, and writes its address into
DIRECTORY/url when it is ready. Everything it knows is in DIRECTORY/state.json.

    GET   /issues                      all of them
    POST  /issues                      {"title", "labels", "author"}
    GET   /issues/N
    PATCH /issues/N                    {"state"} or {"labels"}
    GET   /issues/N/comments
    POST  /issues/N/comments           {"body"}
    GET   /pulls?head=BRANCH           of a branch, newest first
    POST  /pulls                       {"head", "title"}
    POST  /pulls/N/merge               really merges, in the repository
    GET   /commits/SHA/status          {"state"}: what CI says
    GET   /counts                      how often it was asked for what: {"POST merge": 2, …}
    PUT   /lies                        see below; never counted, always answered truthfully

It can lie, because forges do. A lie is about one kind of request ("list", "issue", "comment", "pull",
"merge", "status", or "*" for all): {"merge": {"how": "ok-undone"}}, with "times" for how often and "after"
for how many requests are answered honestly before, and for "ci" a state that CI is in, whatever that word is
worth: {"ci": "waiting"}.

    ok-undone   answers as if it were done, and does nothing
    500         answers 500, and does nothing
    500-done    does it, and answers 500
    cut         does it; the answer ends in the middle
    cut-undone  does nothing; the answer ends in the middle
    silent      does it; the answer never comes (the connection is closed)
    slow        does it, and takes "seconds" to answer
    html        answers 200 with a page that is no JSON, and does nothing
"""

import json
import os
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

UNDONE = ("ok-undone", "500", "cut-undone", "html")


class Refused(Exception):
    """The request is wrong, or cannot be done now: a 4xx, which is the truth."""

    def __init__(self, code, why):
        super().__init__(why)
        self.code = code


class Repository:
    def __init__(self, path):
        self.path = path
        if not os.path.isdir(path):
            subprocess.run(["git", "init", "-q", "--bare", "-b", "main", path], check=True)
            tree = self.git("mktree", input="")
            first = self.git("commit-tree", "-m", "first", tree)
            self.git("update-ref", "refs/heads/main", first)

    def git(self, *words, input=None):
        environment = dict(os.environ)
        for role in ("AUTHOR", "COMMITTER"):
            environment[f"GIT_{role}_NAME"] = "forge"
            environment[f"GIT_{role}_EMAIL"] = "forge@localhost"
        done = subprocess.run(["git", "-C", self.path, *words], input=input, text=True, check=True,
                              capture_output=True, env=environment)
        return done.stdout.strip()

    def head_of(self, branch):
        try:
            return self.git("rev-parse", "--verify", "--quiet", f"refs/heads/{branch}")
        except subprocess.CalledProcessError:
            return None

    def merge(self, branch, message):
        ours, theirs = self.head_of("main"), self.head_of(branch)
        if theirs is None:
            raise Refused(409, "the branch is gone")
        try:
            tree = self.git("merge-tree", "--write-tree", ours, theirs).splitlines()[0]
        except subprocess.CalledProcessError as error:
            raise Refused(409, "there are conflicts") from error
        commit = self.git("commit-tree", "-p", ours, "-p", theirs, "-m", message, tree)
        self.git("update-ref", "refs/heads/main", commit, ours)


class Forge:
    def __init__(self, directory):
        self.file = os.path.join(directory, "state.json")
        self.repository = Repository(os.path.join(directory, "repo.git"))
        self.guard = threading.Lock()
        self.lies = {}
        self.counts = {}
        self.state = {"issues": [], "pulls": []}
        if os.path.exists(self.file):
            with open(self.file, encoding="utf-8") as file:
                self.state = json.load(file)

    def save(self):
        with open(self.file + ".new", "w", encoding="utf-8") as file:
            json.dump(self.state, file, indent=1)
        os.replace(self.file + ".new", self.file)

    def one_of(self, kind, number):
        for thing in self.state[kind]:
            if str(thing["number"]) == number:
                return thing
        raise Refused(404, f"there is no {number} in {kind}")

    # What a request is about, and how it is done. The kind is what lies are told about.
    def route(self, method, path, query, body):
        parts = [part for part in path.split("/") if part]
        match [method, *parts]:
            case ["GET", "issues"]:
                return "list", lambda: self.state["issues"]
            case ["POST", "issues"]:
                return "issue", lambda: self.add_issue(body)
            case ["GET", "issues", number]:
                return "issue", lambda: self.one_of("issues", number)
            case ["PATCH", "issues", number]:
                return "issue", lambda: self.change_issue(number, body)
            case ["GET", "issues", number, "comments"]:
                return "comment", lambda: self.one_of("issues", number)["comments"]
            case ["POST", "issues", number, "comments"]:
                return "comment", lambda: self.add_comment(number, body)
            case ["GET", "pulls"]:
                return "pull", lambda: self.pulls_of(query.get("head", [""])[0])
            case ["POST", "pulls"]:
                return "pull", lambda: self.add_pull(body)
            case ["POST", "pulls", number, "merge"]:
                return "merge", lambda: self.merge(number)
            case ["GET", "commits", sha, "status"]:
                return "status", lambda: {"sha": sha, "state": self.lies.get("ci", "success")}
        raise Refused(404, "there is nothing of this name")

    def add_issue(self, body):
        issue = {"number": 160 + len(self.state["issues"]), "title": body["title"], "state": "open",
                 "labels": body.get("labels", []), "author": {"login": body.get("author", "ann")},
                 "comments": []}
        self.state["issues"].append(issue)
        return issue

    def change_issue(self, number, body):
        issue = self.one_of("issues", number)
        issue.update({key: body[key] for key in ("state", "labels") if key in body})
        return issue

    def add_comment(self, number, body):
        comment = {"body": body["body"]}
        self.one_of("issues", number)["comments"].append(comment)
        return comment

    def pulls_of(self, head):
        found = [pull for pull in self.state["pulls"] if head in ("", pull["head"])]
        for pull in found:
            if pull["state"] == "open":
                pull["sha"] = self.repository.head_of(pull["head"]) or pull["sha"]
        return found[::-1]

    def add_pull(self, body):
        sha = self.repository.head_of(body["head"])
        if sha is None:
            raise Refused(422, "there is no such branch")
        if any(pull["state"] == "open" for pull in self.pulls_of(body["head"])):
            raise Refused(409, "there is a pull request of this branch already")
        pull = {"number": 1 + len(self.state["pulls"]), "head": body["head"], "sha": sha,
                "title": body["title"], "state": "open"}
        self.state["pulls"].append(pull)
        return pull

    def merge(self, number):
        pull = self.one_of("pulls", number)
        if pull["state"] != "open":
            raise Refused(409, "it is not open")
        self.pulls_of(pull["head"])
        self.repository.merge(pull["head"], f"Merge pull request #{number}")
        pull["state"] = "merged"
        return {"merged": True}

    # The lie about this request, or {}. One that is told a number of times is used up here.
    def lie_about(self, kind):
        for name in (kind, "*"):
            lie = self.lies.get(name)
            if lie is None:
                continue
            if lie.get("after", 0) > 0:
                lie["after"] -= 1
                continue
            if "times" in lie:
                lie["times"] -= 1
                if lie["times"] <= 0:
                    del self.lies[name]
            return dict(lie)
        return {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length) or b"{}")
        where = urlsplit(self.path)
        forge = self.server.forge
        if where.path == "/counts":
            return self.answer(200, forge.counts)
        if where.path == "/lies":
            forge.lies = body
            return self.answer(200, body)
        lie, code, said = {}, 200, {"merged": True, "state": "open"}
        try:
            with forge.guard:
                kind, act = forge.route(self.command, where.path, parse_qs(where.query), body)
                what = f"{self.command} {kind}"
                forge.counts[what] = forge.counts.get(what, 0) + 1
                lie = forge.lie_about(kind)
                if lie.get("how") not in UNDONE:
                    said = act()
                    forge.save()
        except Refused as refusal:
            code, said = refusal.code, {"message": str(refusal)}
        except KeyError as missing:
            code, said = 422, {"message": f"{missing} is missing"}
        return self.tell(lie, code, said)

    def tell(self, lie, code, said):
        how = lie.get("how")
        if how in ("500", "500-done"):
            return self.answer(500, {"message": "something went wrong"})
        if how in ("cut", "cut-undone"):
            return self.answer(code, said, cut=True)
        if how == "silent":
            self.close_connection = True
            return None
        if how == "html":
            return self.answer(200, None, page=b"<html>Please log in</html>")
        if how == "slow":
            time.sleep(lie.get("seconds", 5))
        return self.answer(code, said)

    def answer(self, code, said, cut=False, page=None):
        data = page if page is not None else json.dumps(said).encode() + b"\n"
        try:
            self.send_response(code)
            self.send_header("Content-Type", "application/json" if page is None else "text/html")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[: len(data) // 2] if cut else data)
        except OSError:
            pass  # who asked is gone
        self.close_connection = True

    do_GET = do_POST = do_PATCH = do_PUT = do

    def log_message(self, *_):
        pass


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: python3 forge.py DIRECTORY")
    directory = os.path.abspath(sys.argv[1])
    os.makedirs(directory, exist_ok=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.forge = Forge(directory)
    url = os.path.join(directory, "url")
    with open(url + ".new", "w", encoding="utf-8") as file:
        file.write(f"http://127.0.0.1:{server.server_address[1]}\n")
    os.replace(url + ".new", url)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


main()
