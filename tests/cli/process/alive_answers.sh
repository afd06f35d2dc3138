#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# alive: live 0, dead 66, unknown 69, a bare number 64, damage 65; from an argument, a file, stdin.
. "$(dirname -- "$0")/../../lib/process.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_processes

start sleep-forever
"$HOLDFAST" identify "$pid" >id
line=$(cat id)
expect_code 0 "$HOLDFAST" alive "$line"
expect_stdout_is 'live: running'
expect_code 0 "$HOLDFAST" alive @id --json
expect_json .verdict live
expect_code 0 "$HOLDFAST" alive - <id
"$HOLDFAST" identify "$pid" --json >document
expect_code 0 "$HOLDFAST" alive @document

# Another one with the same number.
jq -c '.pidfs += 1 | .start += 1' <id >other
expect_code 66 "$HOLDFAST" alive @other --json
expect_json .verdict dead
expect_json .evidence recycled

# Elsewhere.
jq -c '.pidns = 0' <id >elsewhere
expect_code 69 "$HOLDFAST" alive @elsewhere --json
expect_json .verdict unknown
expect_json .evidence other-pid-namespace
jq -c '.boot |= sub("^."; "g")' <id >damaged
expect_code 65 "$HOLDFAST" alive @damaged
other_boot=ffffffffffffffffffffffffffffffff
jq -c --arg b "$other_boot" '.boot = $b | .machine = $b' <id >other_host
expect_code 69 "$HOLDFAST" alive @other_host
jq -c '.v = 2' <id >newer
expect_code 69 "$HOLDFAST" alive @newer
expect_stderr_contains version

expect_code 64 "$HOLDFAST" alive "$pid"
expect_stderr_contains "holdfast identify $pid"
expect_code 64 "$HOLDFAST" alive ''
expect_code 65 "$HOLDFAST" alive '{"pid":'
expect_code 66 "$HOLDFAST" alive @not_there
ln -s id link
expect_code 77 "$HOLDFAST" alive @link
expect_code 66 "$HOLDFAST" alive no-such-session

end "$pid"
expect_code 66 "$HOLDFAST" alive @id --json
expect_json .verdict dead
