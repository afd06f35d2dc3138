#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --budget bounds reading standard input, following a log, and a standard output that nobody reads; nothing is changed.
. "$(dirname -- "$0")/../../lib/budget.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# A writer that never comes to its end, and a reader that never reads.
mkfifo open unread
sh -c 'exec 3<>open; exec sleep 600' &
writer=$!
exec 8<>open 9<>unread
trap 'kill "$writer" 2>/dev/null || :; "$HOLDFAST" stop s --grace 0 >/dev/null 2>&1 || :; remove_scratch' EXIT

# late CODE COMMAND…: with an input that stays open.
late() {
  wanted=$1
  shift
  begin
  expect_code "$wanted" "$HOLDFAST" "$@" --budget 300ms --json <open
  took_at_most 30000
  expect_json .error.cause budget
}
echo old >file
late 75 write file --allow-unchecked
late 75 write file --check utf8
late 75 block put file --id x
late 75 ledger append entries.jsonl
late 75 journal append --type x.note
[ "$(cat file)" = old ] || fail 'the file was changed'
[ ! -e entries.jsonl ] || fail 'a ledger was made'
begin
expect_code 75 "$HOLDFAST" notify k --budget 300ms --json -- touch sent <open
took_at_most 30000
[ ! -e sent ] || fail 'half a notice was sent'
expect_code 2 "$HOLDFAST" block put file --id x --hook --budget 300ms <open

"$HOLDFAST" run --detach --name s -- sh -c 'seq 100000; exec sleep 600'
begin
expect_code 75 "$HOLDFAST" logs -f s --budget 1s
took_at_most 30000
expect_stderr_contains 'the time of --budget passed'
begin
code=0
"$HOLDFAST" logs -f s --budget 500ms >unread 2>"$stderr" || code=$?
took_at_most 30000
[ "$code" -eq 74 ] || fail "a reader that never reads: $code"
expect_stderr_contains --budget
expect_code 75 "$HOLDFAST" journal follow --budget 200ms
expect_code 0 "$HOLDFAST" stop s --grace 0
