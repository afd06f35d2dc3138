# SPDX-License-Identifier: Apache-2.0
"""Contestants of "replace a file": each gives FILE the content of NEW, as its own documentation shows it.

`command(file, new)` is what is run. `write(file, data)` puts a first version there by plain means, `read(file)` is how
the judge gets at the content: None where there is nothing that can be read.
"""

import contextlib
import sqlite3

from common import box


class Replacer:
    """A contestant that works on a plain file."""

    name = ""
    needs = ()      # programs
    modules = ()    # of npm
    suffix = ".json"

    def command(self, file, new):
        raise NotImplementedError

    def write(self, file, data):
        file.write_bytes(data)

    def read(self, file):
        try:
            return file.read_bytes()
        except OSError:
            return None


class Shell(Replacer):
    script = ""

    def command(self, file, new):
        return ["sh", "-c", self.script, "sh", file, new]


class Holdfast(Replacer):
    name = "holdfast"

    def command(self, file, new):
        return [box.holdfast(), "write", file, "--check", "json", "--", "jq", ".", new]


class Redirect(Shell):
    name = "shell `>`"
    needs = ("jq",)
    script = 'jq . "$2" >"$1"'


class MoveFixed(Shell):
    name = "`jq > tmp && mv`"
    needs = ("jq",)
    script = 'jq . "$2" >"$1.tmp" && mv "$1.tmp" "$1"'


class MoveRandom(Shell):
    name = "`mktemp && mv`"
    needs = ("jq",)
    script = 'tmp=$(mktemp "$1.XXXXXX") && jq . "$2" >"$tmp" && mv "$tmp" "$1"'


class Sponge(Shell):
    name = "moreutils sponge"
    needs = ("jq", "sponge")
    script = 'jq . "$2" | TMPDIR=$(dirname "$1") sponge "$1"'  # its manual: atomic if TMPDIR is on that file system


class Atomicwrites(Replacer):
    name = "python atomicwrites"
    needs = ("python3-atomicwrites",)

    def command(self, file, new):
        return [box.PYTHON, box.HERE / "peers" / "replace_python.py", file, new]


class WriteFileAtomic(Replacer):
    name = "npm write-file-atomic"
    needs = ("node",)
    modules = ("write-file-atomic",)

    def command(self, file, new):
        return ["node", box.HERE / "peers" / "replace_node.mjs", self.modules[0], file, new]


class Atomically(WriteFileAtomic):
    name = "npm atomically"
    modules = ("atomically",)


class Sqlite(Replacer):
    """The content is a row of a database; all of the file's siblings belong to it."""

    name = "sqlite3"
    needs = ("sqlite3",)
    suffix = ".db"

    def command(self, file, new):
        return ["sqlite3", "-bail", file, "PRAGMA synchronous = EXTRA;"
                f"UPDATE document SET content = CAST(readfile('{new}') AS TEXT);"]

    def write(self, file, data):
        with contextlib.closing(sqlite3.connect(file)) as database:
            database.execute("CREATE TABLE document (content TEXT)")
            database.execute("INSERT INTO document VALUES (?)", (data.decode(),))
            database.commit()

    def read(self, file):
        try:
            with contextlib.closing(sqlite3.connect(file)) as database:
                if database.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                    return None
                rows = database.execute("SELECT content FROM document").fetchall()
                return rows[0][0].encode() if len(rows) == 1 else None
        except sqlite3.Error:
            return None


ALL = [Holdfast(), Redirect(), MoveFixed(), MoveRandom(), Sponge(), Atomicwrites(), WriteFileAtomic(), Atomically(),
       Sqlite()]
