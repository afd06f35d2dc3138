# SPDX-License-Identifier: Apache-2.0
"""Contestants of "append a record": `command(place, value)` appends one that holds VALUE.

`file(place)` is the file that a record is appended to; `values(place)` is what can be read afterwards, by means that
are not the contestant's.
"""

import contextlib
import json
import sqlite3

from common import box


class Appender:
    name = ""
    needs = ()
    modules = ()

    def prepare(self, place, env):
        pass

    def command(self, place, value):
        raise NotImplementedError

    def file(self, place):
        """The file that the last record is at the end of."""
        return place / "log.jsonl"

    def values(self, place):
        return line_values(self.file(place))


def line_values(file):
    """The values in the lines that are whole JSON objects; any other line counts for nothing."""
    found = []
    for line in file.read_bytes().split(b"\n"):
        try:
            found += find(json.loads(line))
        except ValueError:
            continue
    return found


def find(document):
    """Every `value` in a document, however deep."""
    if isinstance(document, dict):
        return [v for k, v in document.items() if k == "value"] + [v for d in document.values() for v in find(d)]
    return []


class HoldfastJournal(Appender):
    name = "holdfast"

    def command(self, place, value):
        return [box.holdfast(), "--home", place / "home", "journal", "append", "--type", "x.record", "--data",
                json.dumps({"value": value})]

    def file(self, place):
        return sorted((place / "home" / "journal").glob("seg-*.jsonl"))[-1]


class HoldfastLedger(Appender):
    name = "holdfast ledger"

    def command(self, place, value):
        return ["sh", "-c", 'printf "%s" "$2" | "$HOLDFAST" ledger append "$1"', "sh", self.file(place),
                json.dumps({"value": value})]


class Redirect(Appender):
    name = "JSON lines by `>>`"

    def command(self, place, value):
        return ["sh", "-c", 'printf "%s\\n" "$2" >>"$1"', "sh", self.file(place), json.dumps({"value": value})]


class SqliteWal(Appender):
    """Write-ahead log, full sync; the pages are small so that every byte of the last frames can be cut off."""

    name = "sqlite3"
    needs = ("sqlite3",)

    def prepare(self, place, env):
        made = box.run(["sqlite3", "-bail", place / "log.db", "PRAGMA page_size = 512; PRAGMA journal_mode = WAL;"
                        "CREATE TABLE log (value TEXT);"], env)
        if not made.claimed:
            raise RuntimeError(made.said())

    def command(self, place, value):
        # No checkpoint, as while another connection is open: the records stay in the log.
        return ["sqlite3", "-bail", "-cmd", ".dbconfig no_ckpt_on_close on", place / "log.db",
                f"PRAGMA synchronous = FULL; INSERT INTO log VALUES ('{value}');"]

    def file(self, place):
        return place / "log.db-wal"

    def values(self, place):
        with contextlib.closing(sqlite3.connect(place / "log.db")) as database:
            if database.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                return []
            return [row[0] for row in database.execute("SELECT value FROM log")]


ALL = [HoldfastJournal(), HoldfastLedger(), SqliteWal(), Redirect()]
