#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A process is its number and when it was made: `kill` hits that one or nobody.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

waiter victim
expect_code 0 "$HOLDFAST" run --detach --name victim --json -- "$cmd" /c victim.cmd
wait_until test -e victim.up
expect_code 0 "$HOLDFAST" show victim --json
pid=$(json_field .pid)
expect_code 0 "$HOLDFAST" identify "$pid"
cp "$stdout" id
jq -e ".pid == $pid and .start > 0" <id >/dev/null || fail "$(cat id)"
expect_code 0 "$HOLDFAST" alive @id --json
expect_json .verdict live
# The same number, another process.
jq -c '.start += 1' <id >other
expect_code 66 "$HOLDFAST" alive @other
expect_code 77 "$HOLDFAST" kill @other --json
expect_json .outcome mismatch
expect_code 0 "$HOLDFAST" alive @id
expect_code 64 "$HOLDFAST" alive "$pid"
expect_code 0 "$HOLDFAST" kill @id --grace 0 --json
expect_json .outcome killed
expect_code 66 "$HOLDFAST" alive @id
expect_code 66 "$HOLDFAST" kill @id
# One event of `kill`, and perhaps one of the run, whose command left others behind.
expect_code 0 "$HOLDFAST" journal count --type process.killed
[ "$(plain "$stdout")" -ge 1 ] || fail "the kill is not in the journal: $(cat "$stdout")"
# A tree: its children end too, and it is not claimed that these are all.
waiter leaf
waiter root
sed -i 's/^echo up/start \/b cmd \/c leaf.cmd\r\necho up/' root.cmd
expect_code 0 "$HOLDFAST" run --detach --name root -- "$cmd" /c root.cmd
wait_until test -e leaf.up
expect_code 0 "$HOLDFAST" show root --json
expect_code 0 "$HOLDFAST" identify "$(json_field .pid)"
cp "$stdout" id
expect_code 69 "$HOLDFAST" kill @id --tree --grace 0 --json
expect_json .outcome unproven
[ "$(json_field .ended)" -ge 2 ] || fail "ended: $(json_field .ended)"
"$HOLDFAST" wait root --timeout 60s >/dev/null 2>&1 || :
"$HOLDFAST" wait victim --timeout 60s >/dev/null 2>&1 || :
