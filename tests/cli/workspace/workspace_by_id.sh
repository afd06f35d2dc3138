#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `workspace end` and `workspace forget` take the id of a workspace as well as its name; a name goes before an id, an id means
# that workspace and no later one of its name, and where a record cannot be read nobody can tell whose id it is (69).
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

id_of() { "$HOLDFAST" workspace get "$1" id; }
new web
web=$(id_of web)
[ "${#web}" -eq 32 ] || fail "no id: $web"
nobody=$(printf '%s' "$web" | tr 0-9a-f 1-9a-f0)

expect_code 66 "$HOLDFAST" workspace end "$nobody"
expect_code 66 "$HOLDFAST" workspace forget "$nobody"
expect_code 0 "$HOLDFAST" workspace end "$web" --reason merged --json
expect_json .name web
expect_json .changed true
expect_code 0 "$HOLDFAST" workspace get web state
expect_stdout_is ended
expect_code 0 "$HOLDFAST" workspace end "$web" --json
expect_json .changed false

# A workspace may be called as another one's id: the name counts.
new api
api=$(id_of api)
new "$api"
expect_code 0 "$HOLDFAST" workspace end "$api" --json
expect_json .name "$api"
expect_code 0 "$HOLDFAST" workspace get api state
expect_stdout_is ready

# Who came after it under the same name is another workspace.
expect_code 0 gc
new web
expect_code 66 "$HOLDFAST" workspace end "$web"
expect_code 66 "$HOLDFAST" workspace end "$web" --assume-gone --reason gone
expect_code 0 "$HOLDFAST" workspace get web state
expect_stdout_is ready
expect_code 0 "$HOLDFAST" workspace end "$(id_of web)" --assume-gone --reason gone

mkdir data data/notes
expect_code 0 gc --adopt-dir data --pattern '*'
notes=$(id_of notes)
expect_code 0 "$HOLDFAST" workspace forget "$notes"
expect_stdout_is "$PWD/data/notes"
[ -d data/notes ] || fail 'the directory was touched'
expect_code 66 "$HOLDFAST" workspace get notes

new broken
printf '{' >"$sessions/broken/harness.json"
expect_code 69 "$HOLDFAST" workspace end "$nobody" --json
expect_json .error.cause unreadable-record
expect_code 0 "$HOLDFAST" workspace end "$(id_of api)"
expect_code 66 "$HOLDFAST" workspace end no-id
