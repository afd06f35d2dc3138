#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The record of another tool in a file's sidecar is respected and not changed: a live holder is 75, one that cannot be
# judged 69, a dead one blocks nobody; text that names no process is no record.
. "$(dirname -- "$0")/../../lib/lib.sh"

: >f
sleep 600 &
holder=$!
trap 'kill -s KILL "$holder" 2>/dev/null || :; remove_scratch' EXIT
record() { # TEXT CODE
  printf '%s' "$1" >.f.lock
  chmod 600 .f.lock
  expect_code "$2" "$HOLDFAST" lock -n --file f -- touch ran
  [ "$(cat .f.lock)" = "$1" ] || fail "the record was changed: $1"
}
record "$holder" 75
expect_stderr_contains "pid $holder"
record "{\"pid\":$holder}" 75
record "{\"pid\":$holder,\"hostname\":\"elsewhere.example\"}" 69
record '{"pid":-1}' 69
[ ! -e ran ] || fail 'ran beside another tool'
record 'locked by somebody' 0
kill -s KILL "$holder"
wait "$holder" 2>/dev/null || :
record "$holder" 0
