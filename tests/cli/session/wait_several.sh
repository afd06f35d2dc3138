#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `wait A B C` waits for all, and exits with the code of the first by name that is not 0; `--any` for the first that ends,
# which it names. Each is woken by the change, and the run is meant that was there at the start.
. "$(dirname -- "$0")/../../lib/sessions.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_sleepers
sleeper
put_session a running "$sleeper"
put_session b running "$sleeper" '.run = "0202030405060708090a0b0c0d0e0f10"'
put_session c running "$sleeper" '.run = "0302030405060708090a0b0c0d0e0f10"'

expect_code 66 "$HOLDFAST" wait a nobody c
expect_code 75 "$HOLDFAST" wait a b --timeout 0 --json
expect_json '[.sessions[].code] | map(tostring) | join(" ")' '75 75'
expect_code 75 "$HOLDFAST" wait --any a b --timeout 0
expect_no_stdout

"$HOLDFAST" wait --any a b c >any &
any=$!
"$HOLDFAST" wait a b c --json >all &
all=$!
"$HOLDFAST" wait --any --until stopping a b >state &
state=$!
put_session b exited "$sleeper" '.run = "0202030405060708090a0b0c0d0e0f10" | .exit_code = 4'
code=0
wait "$any" || code=$?
[ "$code $(cat any)" = '4 b' ] || fail "--any: $code $(cat any)"
put_session a stopping "$sleeper"
wait "$state" || fail "--any --until: $?"
[ "$(cat state)" = a ] || fail "--any --until: $(cat state)"
put_session c killed "$sleeper" '.run = "0302030405060708090a0b0c0d0e0f10" | .signal = 9'
put_session a exited "$sleeper" '.exit_code = 0'
code=0
wait "$all" || code=$?
[ "$code" -eq 4 ] || fail "all: $code"
[ "$(jq -c '[.sessions[] | [.name, .code]]' all)" = '[["a",0],["b",4],["c",137]]' ] || fail "$(cat all)"
[ "$(jq .code all)" -eq 4 ] || fail "$(cat all)"

expect_code 0 "$HOLDFAST" wait a a
expect_code 137 "$HOLDFAST" wait a c b
expect_code 66 "$HOLDFAST" wait --any --until running a b
expect_no_stdout
expect_code 0 "$HOLDFAST" wait --any a b --json
expect_json .name a
