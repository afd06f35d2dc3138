#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A detached run whose name cannot be written is not started (74); with --json a name that was made up is on stderr first.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
[ -w /dev/full ] || skip 'no /dev/full'

into_full() { "$HOLDFAST" "$@" >/dev/full; }
expect_code 74 into_full run --detach -- touch ran
expect_stderr_contains 'nothing was started'
if grep -q 'what was done stands' "$stderr"; then fail 'nothing was done'; fi
expect_code 74 into_full run --detach --name given -- touch ran
expect_code 66 "$HOLDFAST" show given
[ "$("$HOLDFAST" ps --all --json | jq -s 'map(.sessions // []) | add | length')" -eq 0 ] || fail 'a session was made'
[ ! -e ran ] || fail 'it ran'

expect_code 74 into_full run --detach --json -- touch ran
name=$(sed -n "s/^holdfast: session '\(.*\)'\$/\1/p" "$stderr")
[ -n "$name" ] || fail 'nobody was told the name'
wait_for_end "$name"
expect_record "$name" .state exited
