#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An engine that has lost its lock releases it at its end. By hand: that removes the lock of the one that has it now, and
# a third engine runs beside the second. With holdfast: a release needs the token; it is refused, on record.
# label: system
. "$(dirname -- "$0")/pipeline_locks.inc"
for name in A-1 B-1 B-2 C-2; do stage "$name"; done

# ---- by hand: A hangs, B is forced in, A ends and tidies up, C gets in beside B
begin_engine A "$naive" foo 1
a=$pid
arrived A-1
expect_code 1 engine C "$naive" foo 1
begin_engine B "$naive" foo 1 --force
b=$pid
arrived B-1
jq -e ".pid == $b" locks/foo.lock >"$scratch/news" || fail 'it is not the lock of B'
go_on A-1
ended "$a"
[ ! -e locks/foo.lock ] || fail 'the lock of B is still there'
begin_engine C "$naive" foo 2
c=$pid
arrived C-2
agents_are 'A-1 begins,B-1 begins,A-1 ends,C-2 begins' # B and C at once
go_on B-1
go_on C-2
ended "$b"
ended "$c"

# ---- with holdfast
: >agents
rm -r runs
export PIPELINE_TTL=1s
begin_engine A "$ours" foo 1
a=$pid
arrived A-1
expect_code 75 engine C "$ours" foo 1
expect_stderr_contains "pid $a"
expect_code 77 "$HOLDFAST" release --file runs/foo/state.json --token 0123456789abcdef0123456789abcdef
[ "$(events lock.release_refused)" -eq 1 ] || fail 'the attempt is not on record'
expect_code 75 engine C "$ours" foo 1

# A was silent for its whole lease: B may take the session over. It begins no agent beside that of A.
PIPELINE_TTL=1h
begin_engine B "$ours" foo 2 --take-over
b=$pid
wait_until grep -q 'still works' "$scratch/begun"
[ "$(events lock.taken)" -eq 1 ] || fail 'the taking is not on record'
agents_are 'A-1 begins'
go_on A-1
ended "$a"
[ "$code" -eq 76 ] || fail "A ended with $code: $(cat "$scratch/begun")"
[ "$(events lock.release_refused)" -eq 2 ] || fail 'A released what it did not have'

# B has it still, and goes on behind what A had begun.
arrived B-2
state_is foo '1 running'
expect_code 75 engine C "$ours" foo 2
expect_stderr_contains "pid $b"
go_on B-2
ended "$b"
[ "$code" -eq 0 ] || fail "B ended with $code: $(cat "$scratch/begun")"
state_is foo '2 complete'
agents_are 'A-1 begins,A-1 ends,B-2 begins,B-2 ends'
expect_code 0 "$HOLDFAST" locks --file runs/foo/state.json --json
expect_json .state free
