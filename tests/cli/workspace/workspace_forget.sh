#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Forgetting a workspace drops its record and nothing else, and only while nobody works in it.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

mkdir data data/notes data/job
echo precious >data/notes/f
expect_code 0 gc --adopt-dir data --pattern '*' --json
expect_json '.adopted | length' 2

expect_code 0 "$HOLDFAST" --json workspace attach notes --owner none
token=$(jq -r .token <"$stdout")
expect_code 75 "$HOLDFAST" workspace forget notes
expect_code 0 "$HOLDFAST" workspace detach notes --token "$token"
expect_code 0 "$HOLDFAST" workspace forget notes
expect_stdout_is "$PWD/data/notes"
[ "$(cat data/notes/f)" = precious ] || fail 'the directory was touched'
expect_code 66 "$HOLDFAST" workspace get notes
expect_code 66 "$HOLDFAST" workspace forget notes
[ "$(find "$sessions/.holdfast-outside" -type f | wc -l)" = 1 ] || fail 'its entry is still in the list'
[ ! -e "$sessions/notes" ] || fail 'its name is still taken'
expect_code 0 "$HOLDFAST" journal query --type workspace.forgotten
expect_stdout_contains data/notes
expect_code 0 gc --json
[ -f data/notes/f ] || fail 'gc took what was forgotten'

# It can be adopted again; one whose authority cannot be asked needs --force; one in the home stays.
expect_code 0 gc --adopt-dir data --pattern 'n*' --authority 'command:x/{name}' --json
expect_json '.adopted[0]' notes
expect_code 69 "$HOLDFAST" workspace forget notes
expect_code 0 "$HOLDFAST" workspace forget notes --force
new inside
expect_code 77 "$HOLDFAST" workspace forget inside
[ -f "$sessions/inside/harness.json" ] || fail 'a session in the home lost its record'
