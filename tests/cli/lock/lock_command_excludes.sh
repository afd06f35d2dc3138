#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two commands under one lock never run at once; one that does not get it is told who has it, and is not run.
. "$(dirname -- "$0")/../../lib/lock_command.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

echo 0 >count
cat >add <<'END'
n=$(cat count)
sleep 0.001
echo $((n + 1)) >count
END
for _ in 1 2 3 4; do
  (for _ in 1 2 3 4 5 6 7 8 9 10; do "$HOLDFAST" lock -w 60 x -- sh add || exit 1; done) &
  racers="${racers:-} $!"
done
for racer in $racers; do wait "$racer" || fail 'a racer was not let in'; done
[ "$(cat count)" -eq 40 ] || fail "two at once: $(cat count) of 40"

hold --reason 'a long story' x
expect_code 75 "$HOLDFAST" lock -n x --status-fd 3 -- touch ran 3>status
expect_stderr_contains "pid $work"
expect_stderr_contains 'a long story'
expect_stderr_contains 'holdfast locks x'
[ "$(cat status)" = '{"by":"holdfast","code":75,"signal":null,"reason":"timeout"}' ] || fail "$(cat status)"
expect_code 75 "$HOLDFAST" lock -w 0 x -- touch ran
expect_code 75 "$HOLDFAST" lock -w 0.05 x -- touch ran
expect_code 9 "$HOLDFAST" lock -n --busy-code 9 x -- touch ran
expect_code 0 "$HOLDFAST" lock -n --busy-code 0 x -- touch ran
expect_code 2 "$HOLDFAST" lock -n --hook x -- touch ran
expect_stderr_contains "pid $work"
expect_code 2 "$HOLDFAST" lock -n --hook --json x -- touch ran
expect_stderr_contains "pid $work"
expect_code 75 "$HOLDFAST" lock -n --json x -- touch ran
expect_json '[.held, .holder.pid, .holder.reason, .error.cause, .state] | join("|")' \
  "false|$work|a long story|timeout|failed"
expect_code 0 "$HOLDFAST" lock -n other -- true
[ ! -e ran ] || fail 'ran without the lock'
let_go
[ "$held_code" -eq 0 ] || fail "the holder ended with $held_code"
expect_code 0 "$HOLDFAST" lock -n x -- true
[ "$("$HOLDFAST" journal count --type lock.busy)" -eq 8 ] || fail 'not each refusal is on record'
