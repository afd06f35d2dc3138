# SPDX-License-Identifier: Apache-2.0
"""Contestants of "put my block into somebody else's file", between the marker lines BEGIN and END."""

from common import box

BEGIN, END = "# BEGIN managed", "# END managed"


class Editor:
    """`command(file, block)` puts the content of BLOCK between the markers, or appends it with its markers."""

    name = ""
    needs = ()
    modules = ()
    script = ""

    def command(self, file, block):
        return ["sh", "-c", self.script, "sh", file, block, BEGIN, END]


class Holdfast(Editor):
    name = "holdfast"

    def command(self, file, block):
        return [box.holdfast(), "block", "put", file, "--id", "managed", "--begin", BEGIN, "--end", END, "--from",
                block]


class SedRange(Editor):
    """The usual line of scripts: cut from BEGIN to END, append a new block."""

    name = "`sed '/BEGIN/,/END/d'`"
    script = 'sed -i "/^$3\\$/,/^$4\\$/d" "$1" && { echo "$3"; cat "$2"; echo "$4"; } >>"$1"'


class SedIfEnd(Editor):
    """The same, by somebody who only cuts if there is an END."""

    name = "sed, if END is there"
    script = """if grep -qxF "$4" "$1"; then sed -i "/^$3\\$/,/^$4\\$/d" "$1"; fi
{ echo "$3"; cat "$2"; echo "$4"; } >>"$1" """


class AwkReplace(Editor):
    """In place of the old block, with a temporary file; appended where there is none."""

    name = "awk and `mv`"
    script = """if grep -qxF "$3" "$1"; then
  awk -v b="$3" -v e="$4" -v f="$2" '$0 == b { print; while ((getline line <f) > 0) print line; close(f); skip = 1 }
    $0 == e { skip = 0 } !skip { print }' "$1" >"$1.tmp" && mv "$1.tmp" "$1"
else
  { echo "$3"; cat "$2"; echo "$4"; } >>"$1"
fi"""


ALL = [Holdfast(), SedRange(), SedIfEnd(), AwkReplace()]
