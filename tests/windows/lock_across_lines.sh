#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `acquire`, `check`, `renew`, `release`, `break` and `locks`: the token is what owns, and the fence only rises.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

# Without an owner it is a lease; with one, a keeper holds it as long as that process lives.
acquire() { "$HOLDFAST" acquire "$@" --owner none --ttl 60s; }
expect_code 0 acquire x --json
token=$(json_field .token)
fence=$(json_field .fence)
expect_code 75 acquire x -n
expect_code 0 "$HOLDFAST" check x --token "$token"
expect_code 77 "$HOLDFAST" check x --token 00000000000000000000000000000000
expect_code 0 "$HOLDFAST" renew x --token "$token"
expect_code 0 "$HOLDFAST" locks x --json
expect_json .state held
expect_json .fence "$fence"
id=$(json_field .break_id)
expect_code 77 "$HOLDFAST" release x --token 00000000000000000000000000000000
expect_code 0 "$HOLDFAST" release x --token "$token"
expect_code 66 "$HOLDFAST" release unknown --token "$token"

expect_code 0 acquire x --json
token=$(json_field .token)
[ "$(json_field .fence)" -gt "$fence" ] || fail 'the fence did not rise'
expect_code 77 "$HOLDFAST" break x --id "$id" --reason 'an old id'
expect_code 0 "$HOLDFAST" locks x --json
expect_code 0 "$HOLDFAST" break x --id "$(json_field .break_id)" --reason 'nobody answers'
expect_code 77 "$HOLDFAST" check x --token "$token"
expect_code 0 acquire x -n

# With an owner: the lock of a file, held by a keeper until it is released, or until its owner has ended.
: >data
waiter owner
expect_code 0 "$HOLDFAST" run --detach --name owner -- "$cmd" /c owner.cmd
wait_until test -e owner.up
expect_code 0 "$HOLDFAST" show owner --json
owner=$(json_field .pid)
token=$("$HOLDFAST" acquire --file data --owner "$owner") || fail 'the lock of a file'
expect_code 75 "$HOLDFAST" lock -n --file data -- "$cmd" /c 'echo ran>ran'
expect_code 0 "$HOLDFAST" release --file data --token "$token"
expect_code 0 "$HOLDFAST" lock -w 10 --file data -- "$cmd" /c 'exit 0'
token=$("$HOLDFAST" acquire --file data --owner "$owner") || fail 'once more'
expect_code 0 "$HOLDFAST" stop owner --grace 0
expect_code 0 "$HOLDFAST" lock -w 30 --file data -- "$cmd" /c 'exit 0'
[ ! -e ran ] || fail 'ran without the lock'
