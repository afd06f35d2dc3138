#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is appended is found by query and count, by type, time and any field; the seq is the plain answer.
. "$(dirname -- "$0")/../../lib/journal.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HOLDFAST" journal append --type lock.fail_open --data '{"lock":"deploy","reason":"timeout"}'
expect_stdout_is 2 # the first record of a segment is its own
append lock.fail_open '{"lock":"deploy","reason":"timeout"}'
append lock.fail_open '{"lock":"build","reason":"busy","holder":{"pid":4711}}'
append x.other '{"lock":"deploy"}'

expect_code 0 "$HOLDFAST" journal count --by data.lock --type lock.fail_open --since 30d
expect_stdout_is "$(printf 'deploy  2\nbuild   1')"
expect_code 0 "$HOLDFAST" journal count --by data.lock --type lock.fail_open --since 30d --json
expect_json '[.groups[] | .key, .count] | @csv' '"deploy",2,"build",1'
expect_json .count 3
expect_code 0 "$HOLDFAST" journal count --by type,data.lock --type 'lock.*' --json --no-index
expect_json '.groups[0].key | @csv' '"lock.fail_open","deploy"'
expect_code 0 "$HOLDFAST" journal count --where data.lock=deploy
expect_stdout_is 3
expect_code 0 "$HOLDFAST" journal count --where data.lock!=deploy --type 'lock.*' --where data.holder.pid=4711
expect_stdout_is 1

expect_code 0 "$HOLDFAST" journal query --type lock.fail_open --where data.reason=busy --json
expect_json '.seq, .class, .data.lock' "$(printf '4\ndecision\nbuild')"
expect_code 0 "$HOLDFAST" journal query --until 1h
expect_no_stdout
expect_code 0 "$HOLDFAST" journal query --last 2 --json
[ "$(jq .seq <"$stdout" | tr '\n' ' ')" = '4 5 ' ] || fail 'not the newest two, the older first'
expect_code 0 "$HOLDFAST" journal query --reverse --limit 2 --json
[ "$(jq .seq <"$stdout" | tr '\n' ' ')" = '5 4 ' ] || fail 'not the newest two, the newest first'
expect_code 0 "$HOLDFAST" journal query --type x.other
expect_stdout_contains '  x.other  '
expect_stdout_contains '  lock=deploy'
