#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A bare number, a pid file beside an ID, and signals that are none are refused; nobody is signalled.
. "$(dirname -- "$0")/../../lib/process.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_processes

start sleep-forever
"$HOLDFAST" identify "$pid" >id
echo "$pid" >pidfile
expect_code 64 "$HOLDFAST" kill "$pid"
expect_stderr_contains 'holdfast identify'
expect_code 64 "$HOLDFAST" kill -- "-$pid"
expect_code 64 "$HOLDFAST" kill
expect_code 64 "$HOLDFAST" kill @id --pidfile pidfile
expect_code 64 "$HOLDFAST" kill @id --starttime 5
expect_code 64 "$HOLDFAST" kill @id --started-after 1h
expect_code 64 "$HOLDFAST" kill --pidfile pidfile --started-after lately
for signal in 0 65 FOO '' -9; do expect_code 64 "$HOLDFAST" kill @id "--signal=$signal"; done
expect_code 64 "$HOLDFAST" kill @id --signal TERM --grace 1s
expect_code 64 "$HOLDFAST" kill @id --grace -1
expect_code 65 "$HOLDFAST" kill '{}'
expect_lives "$pid"
end "$pid"
