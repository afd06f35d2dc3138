#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Somebody holds the sidecar for longer than the hooks wait. By hand: they go on without the lock, in silence, and one
# takes the other's block away. With holdfast: each of them is on record, counted, and no block is lost.
# label: system
. "$(dirname -- "$0")/claude_md.inc"

# ---- by hand
project by-hand
export CLAUDE_MD_WAIT=0.2
foreign attacker
stage slow
begin session "$naive" slow
slow=$pid
arrived slow # it has given up waiting, and has read the file
expect_code 0 pin "$naive" 'never rebase'
expect_no_stderr
has "$file" '- never rebase'
go_on slow
ended "$slow"
[ "$code" -eq 0 ] || fail "the slow hook: $code"
[ ! -s "$scratch/begun" ] || fail "somebody was told: $(cat "$scratch/begun")"
has "$file" 'claude --resume s-1'
lacks "$file" '- never rebase' # lost, with 0 twice and not a word

# Two of the same block.
begin pin "$naive" 'tabs' slow
slow=$pid
arrived slow
expect_code 0 pin "$naive" 'spaces'
go_on slow
ended "$slow"
lacks "$file" '- spaces'
go_on attacker

# ---- with holdfast, the same
project held
export CLAUDE_MD_WAIT=200ms CLAUDE_MD_TTL=1h
foreign attacker2
attacker=$pid
begin session "$ours" slow
slow=$pid
arrived slow
expect_code 0 pin "$ours" 'never rebase'
expect_stderr_contains 'WITHOUT the lock'
go_on slow
ended "$slow"
[ "$code" -eq 0 ] || fail "the slow hook: $code, $(cat "$scratch/begun")"
has "$file" 'claude --resume s-1'
has "$file" '- never rebase'

begin pin "$ours" 'tabs' slow
slow=$pid
arrived slow
expect_code 0 pin "$ours" 'spaces'
go_on slow
ended "$slow"
[ "$code" -eq 0 ] || fail "the slow pin: $code, $(cat "$scratch/begun")"
expect_code 0 "$HOLDFAST" block get "$file" --id pins
expect_stdout_is '- never rebase
- spaces
- tabs'
has "$file" 'Be kind.'
expect_code 0 "$HOLDFAST" block check "$file"

# How often did it fail open, for which lock, and who was in the way?
expect_code 0 "$HOLDFAST" journal count --type lock.fail_open --by data.reason --since 30d --json
[ "$(events lock.fail_open)" -eq 4 ] || fail "$(events lock.fail_open) on record"
expect_stdout_contains timeout
"$HOLDFAST" journal query --type lock.fail_open --json >open
[ "$(jq -r '"\(.data.lock) \(.data.reason) \(.data.holder.pid)"' open | sort -u)" = "file:$file timeout $attacker" ] ||
  fail "$(cat open)"

# The lock is free again, and the hooks get it.
go_on attacker2
ended "$attacker"
expect_code 0 pin "$ours" 'last'
[ "$(events lock.fail_open)" -eq 4 ] || fail 'went on without a lock that was free'
has "$file" '- last'
