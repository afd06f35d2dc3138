#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --hook: any answer of holdfast's own but 0 becomes 2 with the reason on stderr; a wrapped command's code passes.
. "$(dirname -- "$0")/../../lib/lib.sh"

# The command's own code passes as it is, as long as it has answered at all.
for own in 0 1 2 7 64 75 124; do
  expect_code "$own" "$HOLDFAST" lock --hook x -- sh -c "exit $own"
  expect_code "$own" "$HOLDFAST" --hook run -- sh -c "exit $own"
done
# From 125 on it is the word of a shell or a wrapper, a holdfast inside included: the guard has not answered.
for own in 125 126 127 128 137 255; do
  expect_code 2 "$HOLDFAST" lock --hook x -- sh -c "exit $own"
  expect_stderr_contains "code is $own"
  expect_code 2 "$HOLDFAST" --hook run -- sh -c "exit $own"
done
expect_code 2 "$HOLDFAST" lock --hook x -- "$HOLDFAST" run -- ./not-there
expect_code 2 "$HOLDFAST" lock --hook x -- sh -c './not-there'
# A guard that dies of a signal has not answered: hosts would read 128+n as "go on".
for signal in KILL SEGV TERM; do
  expect_code 2 "$HOLDFAST" run --hook --json --status-fd 3 -- sh -c "kill -$signal \$\$" 3>status
  expect_stderr_contains 'has not answered'
  grep -q '"by":"command"' status || fail "$(cat status)"
  expect_code 2 "$HOLDFAST" lock x --hook -- sh -c "kill -$signal \$\$"
done
expect_code 9 "$HOLDFAST" once key --hook -- sh -c 'exit 9'

# A wrapper's own 124 to 127 are holdfast's.
expect_code 2 "$HOLDFAST" run --hook -- ./not-there
expect_stderr_contains 'not-there'
: >not-executable
expect_code 2 "$HOLDFAST" run --hook -- ./not-executable
expect_code 2 "$HOLDFAST" run --hook --timeout 50ms -- sleep 60
[ -s "$stderr" ] || fail 'blocked without a reason'

# The document and the status line keep the true code; the reason is on stderr all the same.
expect_code 2 "$HOLDFAST" run --hook --json --timeout 50ms --status-fd 3 -- sleep 60 3>status
expect_json .code 124
grep -q '"by":"holdfast","code":124' status || fail "$(cat status)"
[ -s "$stderr" ] || fail 'blocked without a reason'
expect_code 2 "$HOLDFAST" --hook --json ledger last not-there.json
expect_json .code 66
expect_stderr_contains 'not-there.json'

# A plain no is a reason, too, though nothing failed.
id=$("$HOLDFAST" identify $$)
expect_code 0 "$HOLDFAST" alive --hook "$id"
sh -c 'exec sleep 60' &
sleeper=$!
gone=$("$HOLDFAST" identify "$sleeper")
kill -KILL "$sleeper"
wait "$sleeper" || :
expect_code 66 "$HOLDFAST" alive "$gone"
expect_code 2 "$HOLDFAST" alive --hook "$gone"
expect_stderr_contains 'the answer is 66'
# And so is that it cannot be told.
elsewhere=$(printf '%s' "$id" | jq -c '.pidns = 0')
expect_code 69 "$HOLDFAST" alive "$elsewhere"
expect_code 2 "$HOLDFAST" alive --hook "$elsewhere"
[ -s "$stderr" ] || fail 'blocked without a reason'

# A wrong line is never a pass, and neither is a home that cannot be had.
expect_code 2 "$HOLDFAST" --hook frobnicate
expect_stderr_contains 'frobnicate'
expect_code 2 "$HOLDFAST" lock --hook --frobnicate x -- true
expect_code 2 "$HOLDFAST" --hook
expect_code 2 "$HOLDFAST" --hook --home /dev/null/none lock x -- touch ran
[ ! -e ran ] || fail 'ran although it could not be recorded first'
expect_code 0 "$HOLDFAST" --hook help hooks
expect_code 0 "$HOLDFAST" --hook --version
