#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --hook: an answer of holdfast's own is 2 with its reason, the command's code passes; --budget ends a tree in time.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

for own in 0 2 7 75; do
  expect_code "$own" "$HOLDFAST" lock --hook x -- "$cmd" /c "exit $own"
  expect_code "$own" "$HOLDFAST" --hook run -- "$cmd" /c "exit $own"
done
expect_code 2 "$HOLDFAST" run --hook -- ./not-there.exe
expect_stderr_contains 'not-there'
expect_code 2 "$HOLDFAST" --hook --json ledger last not-there.json
expect_json .code 66
expect_code 2 "$HOLDFAST" --hook frobnicate

# A wait that would be longer than the budget ends with it; the holder is not disturbed.
waiter holder
"$HOLDFAST" lock held -- "$cmd" /c holder.cmd &
wait_until test -e holder.up
expect_code 75 "$HOLDFAST" lock held -w 50s --budget 1s -- "$cmd" /c 'echo ran>ran'
[ ! -e ran ] || fail 'the command ran beside the holder'
expect_code 0 "$HOLDFAST" lock held --hook-allow busy -n -- "$cmd" /c 'echo ran>ran'
expect_code 0 "$HOLDFAST" journal query --type hook.allowed --json
expect_json '"\(.class) \(.data.reason) \(.data.code)"' 'decision busy 75'
[ ! -e ran ] || fail 'the command ran beside the holder'
echo >holder.go
wait

# A command that goes on is ended, and answers so.
for how in run 'lock x'; do
  waiter long
  # shellcheck disable=SC2086
  expect_code 124 "$HOLDFAST" $how --budget 2s --json -- "$cmd" /c long.cmd
  expect_json .error.cause budget
done

# A hook that its host has killed is a start without an end.
count() { "$HOLDFAST" journal count --type "$1"; }
open=$(($(count hook.started) - $(count hook.ended)))
waiter killed
"$HOLDFAST" run --hook -- "$cmd" /c killed.cmd >/dev/null 2>&1 &
hook=$!
wait_until test -e killed.up
kill -s KILL "$hook"
wait "$hook" 2>/dev/null || :
[ $(($(count hook.started) - $(count hook.ended))) -eq $((open + 1)) ] || fail 'the killed hook is not a start without an end'

# The hook of docs/hooks.md, a batch file of one line, is started by its host as `cmd /c hook.cmd`.
printf '@"%s" block put CLAUDE.md --id rules --hook --budget 30s --wait 20s --from rules.md\r\n' "$exe" >hook.cmd
echo 'Run the tests.' >rules.md
printf '# Project\n' >CLAUDE.md
wine=$(sed -n 's/^exec "\([^"]*\)".*/\1/p' "$HOLDFAST")
HOLDFAST_HOME=Z:$HOLDFAST_HOME
expect_code 0 "$wine" cmd.exe /c hook.cmd
grep -q 'Run the tests.' CLAUDE.md || fail "no block: $(cat CLAUDE.md)"
sed -i '$d' CLAUDE.md
expect_code 2 "$wine" cmd.exe /c hook.cmd
expect_stderr_contains orphan-begin
