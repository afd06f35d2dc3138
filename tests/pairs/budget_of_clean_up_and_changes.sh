#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --budget bounds a clean-up, what it asks and what it saves, and an update; each session is whole in its place or whole
# in the trash, and the file is as it was. As a hook, an update that was not made blocks.
. "$(dirname -- "$0")/../lib/budget.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/gc.inc"

# in_time CMD…: into $code.
in_time() {
  begin
  code=0
  command=$1
  shift
  "$HOLDFAST" "$command" --budget 600ms "$@" >"$stdout" 2>"$stderr" || code=$?
  took_at_most 30000 # what it waits for takes a minute
}
# refused CMD…: it does not succeed, in time; as a hook it is 2.
refused() {
  in_time "$@"
  [ "$code" -ne 0 ] || fail "it succeeded: $*"
  command=$1
  shift
  in_time "$command" --hook "$@"
  [ "$code" -eq 2 ] || fail "as a hook it exits with $code: $*"
}
whole() { # DIR
  [ "$(cat "$1/data")" = kept ] || fail "$1 is not whole"
}

ended one
new two --authority command:two
for name in one two; do echo kept >"$sessions/$name/data"; done
in_time gc --grace 0 --rescue 'exec sleep 60'
whole "$sessions/one"
in_time gc --grace 0 --probe 'exec sleep 60'
whole "$sessions/two"
[ -d "$sessions/one" ] || [ -n "$(find "$sessions/.holdfast-trash" -name 'one.*')" ] || fail 'one is nowhere'

echo old >file
refused update file -- sh -c 'cat; exec sleep 60'
mkfifo locked
flock --no-fork .file.lock sh -c 'echo >locked; exec sleep 60' &
holder=$!
trap 'kill "$holder" 2>/dev/null || :; wait "$holder" || :; remove_scratch' EXIT
read -r _ <locked
refused update file --wait 1m -- echo new
[ "$(cat file)" = old ] || fail 'changed after all'
