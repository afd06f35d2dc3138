#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A clean-up keeps a series until it is over: between two iterations, and after its driver was killed there.
. "$(dirname -- "$0")/../lib/series.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/gc.inc"

# A program and no function: its number is that of the driver.
mkfifo asked answer
printf '#!/bin/sh\nexec "$HOLDFAST" run --name s --iterations 3 "$@" -- sh -c "echo \\$HOLDFAST_ITERATION >>ran"\n' >drive
chmod +x drive

./drive --until '[ -e ran ] || exit 1; echo >asked; read -r code <answer; exit "$code"' 2>"$stderr" &
driver=$!
trap 'kill -s KILL "$driver" 2>/dev/null || :; remove_scratch' EXIT
read -r _ <asked
expect_code 0 gc --runs --json
expect_reason kept s series
echo 1 >answer
read -r _ <asked
[ "$(tr '\n' ' ' <ran)" = '1 2 ' ] || fail "ran: $(tr '\n' ' ' <ran)"
kill -s KILL "$driver"
wait "$driver" 2>/dev/null || :

expect_code 0 gc --runs --json
expect_reason kept s series
expect_code 0 ./drive --wait 1m
[ "$(tr '\n' ' ' <ran)" = '1 2 3 ' ] || fail "ran: $(tr '\n' ' ' <ran)"
# It is over, and was told: it goes like any other.
expect_code 0 gc --runs --json
expect_reason removed s run-ended
