#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `once`, `attempt`, `until` and `notify` decide as on Linux, with commands of Windows.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

runs() { [ -e ran ] && wc -l <ran || echo 0; }
expect_code 7 "$HOLDFAST" once k --json -- "$cmd" /c 'echo ran>>ran & exit 7'
expect_json .decision ran
expect_code 0 "$HOLDFAST" once k --json -- "$cmd" /c 'echo ran>>ran'
expect_code 0 "$HOLDFAST" once k --json -- "$cmd" /c 'echo ran>>ran'
expect_json .decision skipped
[ "$(runs)" -eq 2 ] || fail "once ran $(runs) times"
expect_code 0 "$HOLDFAST" step forget --kind once k --reason 'once more'

expect_code 3 "$HOLDFAST" attempt a --max 2 --backoff 1h --json -- "$cmd" /c 'exit 3'
expect_json .attempts 1
expect_code 75 "$HOLDFAST" attempt a --max 2 --backoff 1h --json -- "$cmd" /c 'exit 3'
expect_json .decision wait
expect_code 3 "$HOLDFAST" attempt b --max 1 --json -- "$cmd" /c 'exit 3'
expect_code 77 "$HOLDFAST" attempt b --max 1 --json -- "$cmd" /c 'echo x>again'
expect_json .decision exhausted
[ ! -e again ] || fail 'it was tried once more'

expect_code 0 "$HOLDFAST" until --timeout 60s --every 100ms -- "$cmd" /c 'if exist u (exit 0) else (echo x>u & exit 1)'
expect_code 124 "$HOLDFAST" until --timeout 5s --every 100ms -- "$cmd" /c 'exit 1'
expect_code 66 "$HOLDFAST" until --fail 5 --every 100ms -- "$cmd" /c 'exit 5'

echo 'it broke' | expect_code 0 "$HOLDFAST" notify n --cooldown 1h --json -- "$cmd" /c 'more >>sent'
expect_json .decision ran
echo 'it broke' | expect_code 0 "$HOLDFAST" notify n --cooldown 1h --json -- "$cmd" /c 'more >>sent'
expect_json .decision suppressed
expect_code 0 "$HOLDFAST" journal count --type step.suppressed
expect_stdout_is 1
[ "$(grep -c 'it broke' sent)" -eq 1 ] || fail "sent: $(cat sent)"

expect_code 6 "$HOLDFAST" run --name t --if-busy skip -- "$cmd" /c 'exit 6'
waiter held
"$HOLDFAST" once t -- "$cmd" /c held.cmd &
first=$!
wait_until test -e held.up
expect_code 75 "$HOLDFAST" once t -- "$cmd" /c 'echo x>second'
expect_code 75 "$HOLDFAST" once t --if-busy wait --wait 100ms -- "$cmd" /c 'echo x>second'
expect_code 0 "$HOLDFAST" once t --if-busy skip --json -- "$cmd" /c 'echo x>second'
expect_json .decision skipped
expect_code 0 "$HOLDFAST" run --name once:t --if-busy skip --json -- "$cmd" /c 'echo x>second'
expect_json .skipped true
: >held.go
wait "$first" || fail "the first ended with $?"
[ ! -e second ] || fail 'two at a time'
