#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The command's own code passes, also where it looks like one of holdfast's; --status-fd tells whose it is.
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HOLDFAST" lock x -- true
expect_code 75 "$HOLDFAST" lock x --status-fd 3 -- sh -c 'exit 75' 3>status
[ "$(cat status)" = '{"by":"command","code":75,"signal":null,"reason":"exited"}' ] || fail "$(cat status)"
# shellcheck disable=SC2016
expect_code 143 "$HOLDFAST" lock x --status-fd 3 -- sh -c 'kill -TERM $$' 3>status
[ "$(cat status)" = '{"by":"command","code":143,"signal":15,"reason":"signal"}' ] || fail "$(cat status)"
expect_code 127 "$HOLDFAST" lock x --status-fd 3 -- ./absent 3>status
[ "$(cat status)" = '{"by":"holdfast","code":127,"signal":null,"reason":"not-found"}' ] || fail "$(cat status)"
echo no >plain
expect_code 126 "$HOLDFAST" lock x -- ./plain
printf 'typed' >in
expect_code 0 "$HOLDFAST" lock x -- cat <in
expect_stdout_is typed
expect_code 3 "$HOLDFAST" lock x --json -- sh -c 'echo out; exit 3'
expect_json '[.lock, .held, .mode, .evidence, .reentered, .exit_code, .state] | join(" ")' \
  'x true exclusive fresh false 3 exited'
expect_stderr_contains out
grep -q '"token"' "$stdout" && fail 'the token is told'
expect_code 4 "$HOLDFAST" lock y --ttl 2s -- sh -c 'exit 4'
expect_code 5 "$HOLDFAST" lock y --wait-descendants -- sh -c 'exit 5'
expect_code 127 "$HOLDFAST" lock y --ttl 2s -- ./absent
expect_code 0 "$HOLDFAST" lock y -n -- true
