#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A mistyped type is 64 with the nearest name, when recording and when asking; own types begin with x.
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 64 "$HOLDFAST" journal append --type lock.fail_opne --data '{"lock":"a","reason":"b"}'
expect_stderr_contains "'lock.fail_open'"
expect_code 64 "$HOLDFAST" journal append --type deploy.started --data '{}'
expect_stderr_contains 'x.'
expect_code 64 "$HOLDFAST" journal append --type lock.fail_open --data '{"lock":"a"}'
expect_stderr_contains "'reason'"
expect_code 64 "$HOLDFAST" journal append --type lock.fail_open --class event --data '{"lock":"a","reason":"b"}'
expect_stderr_contains 'decision'
expect_code 64 "$HOLDFAST" journal append --data '{}'
expect_stderr_contains '--type is missing'
for type in anchored anchor_failed repaired opened anything; do
  expect_code 64 "$HOLDFAST" journal append --type "journal.$type" --data '{"seq":1,"head":"a","to":"b"}'
  expect_stderr_contains 'only the journal itself writes these'
done
[ ! -e "$HOLDFAST_HOME" ] || fail 'a refused event made a home'

expect_code 64 "$HOLDFAST" journal count --type lock.fail_opne
expect_stderr_contains 'did you mean lock.fail_open?'
expect_code 64 "$HOLDFAST" journal query --type lock.fail_opne
expect_code 64 "$HOLDFAST" journal follow --type lock.fail_opne
expect_code 64 "$HOLDFAST" journal query --where lock..a=b
expect_code 64 "$HOLDFAST" journal count --by lock..a
expect_code 64 "$HOLDFAST" journal query --since tomorrow

expect_code 0 "$HOLDFAST" journal append --type x.deploy.started --data '{"any":[1,{"thing":null}]}' --json
expect_json .kept written
expect_code 0 "$HOLDFAST" journal append --type x.deploy.started --class decision --data '{}' --json
expect_json .kept durable
expect_code 0 "$HOLDFAST" journal count --type x.deploy.started
expect_stdout_is 2
