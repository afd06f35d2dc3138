#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A run that was asked to end is not done, though it exits with 0; an exit with 0 that is not confirmed is not either.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkfifo up
cat >obedient <<'SH'
#!/bin/sh
trap 'exit 0' TERM
echo up >up
while :; do sleep 0.1; done
SH
chmod +x obedient
"$HOLDFAST" once s -- ./obedient 2>/dev/null &
wait_up
expect_code 0 "$HOLDFAST" stop once:s
code=0
wait $! || code=$?
[ "$code" -eq 143 ] || fail "the caller was told $code"
expect_code 0 "$HOLDFAST" step show --kind once s --json
expect_json .state free
expect_json '.history[0].asked' true
expect_json '.history[0].exit_code' 0

expect_code 76 "$HOLDFAST" once v --verify 'exit 1' --json -- true
expect_json .state unverified
expect_code 0 "$HOLDFAST" step show --kind once v --json
expect_json .state free
expect_code 0 "$HOLDFAST" once v --verify 'exit 0' -- true
expect_code 0 "$HOLDFAST" step show --kind once v --json
expect_json .state 'done'
expect_code 64 "$HOLDFAST" once w --verify '' -- true
expect_code 64 "$HOLDFAST" once w --verify ' ' -- true

# A key that is too long is said to be one, and an error of ours has a line, too.
expect_code 64 "$HOLDFAST" once "$(printf 'P%.0s' $(seq 116))" -- true
expect_stderr_contains 'at most 115 bytes'
expect_code 0 "$HOLDFAST" once "$(printf 'P%.0s' $(seq 115))" -- true
echo '{' >"$(step_file once k)"
chmod 600 "$(step_file once k)"
code=0
"$HOLDFAST" once k --status-fd 3 -- true 3>status 2>/dev/null || code=$?
[ "$code" -eq 65 ] || fail "a damaged record: $code"
[ "$(jq -r .by status)" = holdfast ] || fail 'nobody is told whose code it is'
