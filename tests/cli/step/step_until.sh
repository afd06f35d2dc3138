#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `until`: yes, never, not yet and nobody can tell are four answers; time is always bounded; a try leaves nothing behind.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

until_() { "$HOLDFAST" until --every 10ms "$@"; }
expect_code 0 until_ --json -- sh -c 'echo ran >>ran; [ "$(wc -l <ran)" -ge 3 ]'
expect_json .result pass
expect_json .tries 3
expect_json .last_code 0
expect_code 66 until_ --fail 2-4,9 --json -- sh -c 'exit 3'
expect_json .result fail
expect_json .tries 1
expect_code 124 until_ --timeout 2s --json -- false
expect_json .result not-yet
expect_code 69 until_ --timeout 1s --json -- sh -c 'exit 5'
expect_json .result unknown
expect_code 69 until_ --timeout 1s --json -- sh -c 'kill -KILL $$'
expect_json .last_signal 9
expect_code 69 until_ --timeout 200ms --grace 0 --json -- sh -c 'echo $$ >pid; sleep 600 & echo $! >child; wait'
expect_json .last_code null
for pid in "$(cat pid)" "$(cat child)"; do
  ! kill -0 "$pid" 2>/dev/null || fail "$pid is left of a try that was cut off"
done
# 0 can be a no, and 5 a yes.
expect_code 0 until_ --pass 5 --not-yet 0 -- sh -c 'exit 5'
expect_code 124 until_ --pass 5 --not-yet 0 --timeout 1s -- true
# What is said on stdout is not the answer.
expect_code 0 until_ -- echo noise
expect_no_stdout
expect_stderr_contains noise
expect_code 127 until_ -- no-such-command
expect_code 126 until_ -- /
for codes in '' x 256 -1 3-2 '0,' '1,,2'; do expect_code 64 until_ --fail "$codes" -- true; done
expect_code 64 until_ --pass 0,1 --fail 1 -- true
expect_code 64 until_
[ ! -e "$HOLDFAST_HOME" ] || fail 'something was recorded'

# Asked to end between two tries: a document all the same.
mkfifo tried
"$HOLDFAST" until --every 1h --timeout 2h --json -- sh -c 'echo tried >tried; exit 1' >asked.json 2>/dev/null &
read -r _ <tried
# In the pause it sleeps without a child, and TERM is held back.
until [ "$(cat "/proc/$!/task/$!/children")" = '' ] && grep -q '^State:.S' "/proc/$!/status" &&
  [ $((0x$(sed -n 's/^SigBlk:.//p' "/proc/$!/status") & 0x4000)) -ne 0 ]; do :; done
kill -s TERM $!
code=0
wait $! || code=$?
[ "$code" -eq 143 ] || fail "asked to end in a pause: $code"
[ "$(jq .tries asked.json)" -eq 1 ] || fail "no document: $(cat asked.json)"
