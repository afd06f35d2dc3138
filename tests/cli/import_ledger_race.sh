#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# import ledger --apply: a file that somebody makes in its place after it has looked stays; nothing is imported.
. "$(dirname -- "$0")/lib.sh"

mkdir to
echo '[{"a":1}]' >old.json
mkfifo go
# The commit waits for the directory.
flock --no-fork to/.hf-stage-lock sh -c 'echo >locked; read -r _ <go' &
holder=$!
trap 'kill "$holder" 2>/dev/null || :; remove_scratch' EXIT
# wait_until CMD…
wait_until() {
  tries=0
  until "$@"; do
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || fail "never came: $*"
    sleep 0.05
  done
}
wait_until test -s locked
"$HOLDFAST" import ledger old.json --to to/new.json --apply --json >"$stdout" 2>"$stderr" &
importer=$!
# It has looked, and has the new content in a file that has no name yet.
has_stage() { find "/proc/$importer/fd" -lname "$scratch/work/to/?*" 2>/dev/null | grep -q .; }
wait_until has_stage
echo '[{"b":2}]' >to/new.json
echo >go
code=0
wait "$importer" || code=$?
[ "$code" -eq 75 ] || fail "exit code $code"
[ "$(cat to/new.json)" = '[{"b":2}]' ] || fail 'overwritten'
[ "$("$HOLDFAST" journal count --type import.done)" -eq 0 ] || fail 'on record, and not done'
