#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A holder whose ledger is gone, or cannot be read any more, ends its command's whole tree before the lease ends.
. "$(dirname -- "$0")/lock_command.inc"
. "$(dirname -- "$0")/lib.sh"

mkfifo started
"$HOLDFAST" lock x --ttl 1.2s --status-fd 3 -- \
  sh -c 'trap "" TERM; sh -c "trap \"\" TERM; while :; do sleep 5; done" & echo $$ $! >started; wait' 3>status 2>"$stderr" &
holder=$!
read -r work child <started
rm "$HOLDFAST_HOME/locks/x.lock"
code=0
wait "$holder" || code=$?
[ "$code" -eq 76 ] || fail "exit code $code, not 76"
gone "$work" || fail 'the command lives'
gone "$child" || fail 'its child lives'
grep -q '"by":"holdfast","code":76' status || fail "$(cat status)"
expect_stderr_contains 'is lost'
