#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The supervisor is killed while the verification runs: `wait` waits for that, and then ends with 69.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/orphans.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

mkfifo verifying go
"$HOLDFAST" run --detach --name v --verify 'echo >verifying; read -r _ <go' -- true >/dev/null
read -r _ <verifying
kill -s KILL "$(record v .supervisor.pid)"
"$HOLDFAST" wait v --until orphaned || fail 'no orphan'
expect_code 0 "$HOLDFAST" show v --json
expect_json .tree lives
"$HOLDFAST" wait v --timeout 1m >"$stdout" 2>"$stderr" &
echo >go
code=0
wait "$!" || code=$?
[ "$code" -eq 69 ] || fail "exit code $code, not 69"
