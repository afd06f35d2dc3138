#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `locks` shows holder, fence, lease and waiters of one lock; the list shows what is not free, or all.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

expect_code 0 "$HOLDFAST" locks
expect_no_stdout
expect_code 0 "$HOLDFAST" locks x --json
expect_json .state free
expect_json .fence null
expect_json .holders '[]'
[ ! -e "$HOLDFAST_HOME" ] || fail 'looking made a home'

owner x --ttl 1h --reason 'nightly build'
expect_code 0 "$HOLDFAST" acquire y -n
read -r other <"$stdout"
expect_code 0 "$HOLDFAST" release y --token "$other"
"$HOLDFAST" acquire x -w 30s >/dev/null &
waiter=$!
wait_waiter x
expect_code 0 "$HOLDFAST" locks x --json
expect_json .state held
expect_json .name x
expect_json .mode exclusive
expect_json .holder.pid "$owner"
expect_json .holder.reason 'nightly build'
expect_json .owner.pid "$owner"
expect_json .binding owner
expect_json .ttl_ms 3600000
expect_json '.left_ms > 3000000' true
expect_json '.waiters[0].pid' "$waiter"
expect_json '.break_id | length' 16
expect_code 0 "$HOLDFAST" locks x
expect_stdout_contains "pid $owner"
expect_stdout_contains "pid $waiter"
if grep -q "$token" "$stdout"; then fail 'the token is shown'; fi

expect_code 0 "$HOLDFAST" locks --json
expect_json '[.locks[].name] | join(",")' x
expect_code 0 "$HOLDFAST" locks --all --json
expect_json '[.locks[].name] | join(",")' x,y
expect_code 0 "$HOLDFAST" locks --state free --json
expect_json '[.locks[].name] | join(",")' y
expect_code 0 "$HOLDFAST" locks
expect_stdout_contains 'nightly build'
expect_stderr_contains '--all'
kill "$waiter"
wait "$waiter" || :
